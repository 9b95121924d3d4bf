package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that one incarnation has declared and whose end is not durable yet. Each is answered for: its end becomes durable by a
 * commit of this incarnation, or its outcome is sent to the next one, wherever that runs. So another owner may wait for it as long as this
 * process has a lease.
 */
final class Attempts {

    /** No operation has this id. */
    private static final String NONE = "";

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    // Under the lock.
    private final Map<String, Attempt> open = new LinkedHashMap<>();

    /** An attempt; begun when its function may have run. */
    private static final class Attempt {

        private final int number;
        private final String runner;
        private boolean begun;
        /** Its end is in the last commit of a flow that is parked: as long as that may hold, no one else has to be told. */
        private boolean entrusted;
        private @Nullable Interruption interruption;
        private @Nullable AttemptOutcome outcome;

        Attempt(int number, String runner) {
            this.number = number;
            this.runner = runner;
        }
    }

    /** What has to be sent, because no commit of this incarnation will say it. */
    record Orphan(String operation, String runner, AttemptOutcome outcome) {
    }

    Attempts(Incarnation incarnation, Guard guard, Strands strands) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
    }

    /** Changes are on their way to be committed. Under the lock. */
    void submitted(Collection<Change> changes) {
        guard.require();
        for (Change change : changes) {
            if (change instanceof Advance.Begin begin && begin.request() instanceof Request.Local local) {
                open.put(change.operation().activity(), new Attempt(1, local.runner()));
            } else if (change instanceof Advance.Retry retry) {
                open.put(change.operation().activity(), new Attempt(retry.attempt(), retry.runner()));
            }
        }
    }

    /** Changes are durable: attempts that have ended by them, or whose failure is recorded by the wait after it, need no answer. */
    void durable(Collection<Change> changes) {
        guard.run(() -> changes.forEach(change -> open.remove(ends(change))));
    }

    /** The operation whose attempt is over by a change, or would be. */
    private static String ends(Change change) {
        String id = change.operation().activity();
        return switch (change) {
            case Advance.Finish finish -> id;
            case Advance.Drop drop -> id;
            case Advance.Begin begin when !Journal.paused(id).equals(id) -> Journal.paused(id);
            case Advance.Begin begin -> NONE;
            case Advance.Do once -> NONE;
            case Advance.Retry retry -> NONE;
        };
    }

    /** Changes are the last that this incarnation hands in: their outcomes would only wake the flow that is parked by them. Under the lock. */
    void entrust(Collection<Change> changes) {
        guard.require();
        for (Change change : changes) {
            Attempt attempt = open.get(ends(change));
            if (attempt != null) {
                attempt.entrusted = true;
            }
        }
    }

    /** What was entrusted to the last commit is sent after all: that commit will not be. */
    void reclaim() {
        List<Orphan> orphans = guard.locked(() -> {
            open.values().forEach(attempt -> attempt.entrusted = false);
            return orphans();
        });
        incarnation.runtime().couriers().send(incarnation.workflow(), orphans);
    }

    /**
     * The function is about to run; ends the strand if it must not any more.
     *
     * @param optional whether the attempt is stopped before it begins if the flow is to end; not so if the one before it may have happened
     */
    void begin(Scope scope, String operation, Interruption interruption, boolean optional) {
        String why = guard.locked(() -> {
            strands.alive(scope.strand());
            Attempt attempt = open.get(operation);
            if (attempt != null) {
                attempt.begun = true;
                attempt.outcome = null;
                attempt.interruption = interruption;
            }
            return scope.cancelled();
        });
        if (why != null && optional) {
            interruption.stop(why);
        }
    }

    /** Stops attempts that run on some strands, unless they are shielded. */
    void stop(String why, Predicate<Strand> which) {
        on(which).values().forEach(each -> each.stop(why));
    }

    /** How to stop the attempts that run on some strands, by their operations; without those that are shielded. */
    Map<String, Interruption> on(Predicate<Strand> which) {
        Map<String, Interruption> running = new LinkedHashMap<>();
        guard.run(() -> open.forEach((operation, attempt) -> {
            Interruption interruption = attempt.begun && attempt.outcome == null ? attempt.interruption : null;
            if (interruption != null && !interruption.shielded() && which.test(interruption.strand())) {
                running.put(operation, interruption);
            }
        }));
        return running;
    }

    /** The function has ended. If this incarnation is dead, the next one hears of it. */
    void ended(String operation, AttemptOutcome outcome) {
        List<Orphan> orphans = guard.locked(() -> {
            Attempt attempt = open.get(operation);
            if (attempt == null) {
                return List.<Orphan>of();
            }
            attempt.outcome = outcome;
            // Nothing of this incarnation will record what is lost, whether it is alive or not.
            return strands.dead() || outcome instanceof AttemptOutcome.Lost ? orphans() : List.<Orphan>of();
        });
        incarnation.runtime().couriers().send(incarnation.workflow(), orphans);
        incarnation.runtime().settled(incarnation);
    }

    /** Those whose outcome is known and that this incarnation will not record any more. Under the lock. */
    List<Orphan> orphans() {
        guard.require();
        List<Orphan> orphans = new ArrayList<>();
        open.forEach((operation, attempt) -> {
            AttemptOutcome outcome = attempt.begun ? attempt.outcome : new AttemptOutcome.NotBegun();
            if (outcome != null && !attempt.entrusted) {
                orphans.add(new Orphan(operation, attempt.runner, outcome));
            }
        });
        orphans.forEach(orphan -> open.remove(orphan.operation()));
        return orphans;
    }

    /** No one will ask for them: the workflow is over, or all that is known of them is durable. Under the lock. */
    void forget() {
        guard.require();
        open.clear();
    }

    /** Operations whose functions run here at the moment. */
    List<String> running() {
        return guard.locked(() -> open.entrySet().stream()
                .filter(each -> each.getValue().begun && each.getValue().outcome == null)
                .map(each -> each.getKey() + " attempt " + each.getValue().number).toList());
    }
}
