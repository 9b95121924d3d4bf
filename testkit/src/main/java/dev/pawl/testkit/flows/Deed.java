package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.testkit.flows.Op.Trouble;
import dev.pawl.testkit.simulate.Play;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something a flow does to the outside world, with what goes wrong in doing it.
 *
 * @param before what the same code did last; it must be durable by now
 * @param plain whether it need not be declared before it is done
 */
record Deed(Outside outside, Play.Site site, Outside.Place place, @Nullable String before, Guarantee guarantee,
        Trouble trouble, Duration takes, boolean plain) {

    private static final Duration TOO_LONG = Actor.TIMEOUT.plusSeconds(3);

    static String value(String id) {
        return "did " + id;
    }

    /** Others run while it takes its time: before it is done, and between that and the record of it. */
    String attempt(int number, String key) throws InterruptedException {
        site.threads().check();
        int time = outside.begun(this, number, key);
        try {
            return act(number, time);
        } finally {
            outside.ended(this);
        }
    }

    private String act(int number, int time) throws InterruptedException {
        if (trouble == Trouble.COMES_LATE && time == 1) {
            dawdle();
        } else {
            site.threads().pass(takes);
        }
        if (fails(time)) {
            throw new IllegalStateException("not this time");
        }
        outside.done(this, number);
        site.threads().pass(Duration.ZERO);
        if (time == 1 && (trouble == Trouble.LOSES_ANSWER || trouble == Trouble.CANNOT_BE_LOOKED_UP)) {
            throw new IllegalStateException("the answer was lost");
        }
        return value(place.id());
    }

    /** Only gives it to a worker. */
    String handOver(int number, String key, String token, Op.Worker worker) throws InterruptedException {
        site.threads().check();
        outside.begun(this, number, key);
        try {
            site.threads().pass(takes);
            site.threads().check();
            outside.workers().handed(place, token, worker);
            site.threads().pass(Duration.ZERO);
            return "handed over";
        } finally {
            outside.ended(this);
        }
    }

    /** Whoever interrupts it does not stop it. */
    private void dawdle() throws InterruptedException {
        try {
            site.threads().pass(TOO_LONG);
        } catch (InterruptedException e) {
            site.threads().pass(Duration.ofMillis(300));
        }
    }

    private boolean fails(int time) {
        return switch (trouble) {
            case FAILS_ONCE -> time == 1;
            case FAILS_TWICE -> time <= 2;
            case FAILS_ALWAYS -> true;
            case NONE, LOSES_ANSWER, COMES_LATE, CANNOT_BE_LOOKED_UP -> false;
        };
    }

    Verified<String> verify() throws InterruptedException {
        site.threads().pass(Duration.ZERO);
        if (trouble == Trouble.CANNOT_BE_LOOKED_UP) {
            return new Verified.Indeterminate<>("nobody answers");
        }
        return outside.looked(this) ? new Verified.Completed<>(value(place.id())) : new Verified.NotCompleted<>();
    }
}
