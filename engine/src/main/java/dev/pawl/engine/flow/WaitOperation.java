package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A wait of the code's for a timer, for a signal, or for whichever of them comes first. */
final class WaitOperation {

    private final Scope scope;
    private final String id;

    /** How a wait for a signal has ended. */
    enum Waited {
        CAME, TIMED_OUT
    }

    WaitOperation(Scope scope, String id) {
        this.scope = scope;
        this.id = id;
    }

    void sleep(Duration duration) {
        scope.ask(id, Header.of("sleep", "period", duration.toString()), new Request.Sleep(until(duration)));
    }

    /** Of a kind, so that a sleep is not taken for the wait before the code begins. */
    void sleepUntil(String kind, Instant time) {
        scope.ask(id, Header.of(kind, "until", time.toString()), new Request.Sleep(until(time)));
    }

    private Instant until(Duration duration) {
        Instant now = scope.runtime().clock().instant();
        if (duration.compareTo(Duration.between(now, Beginnings.LATEST)) > 0) {
            throw new ValidationFailed(
                    "a wait ends before " + Beginnings.LATEST + ", but this one lasts " + duration);
        }
        return now.plus(duration);
    }

    private static Instant until(Instant time) {
        if (time.isAfter(Beginnings.LATEST)) {
            throw new ValidationFailed(
                    "a wait ends before " + Beginnings.LATEST + ", but this one until " + time);
        }
        return time;
    }

    /**
     * The wait between two attempts.
     *
     * @param declaration what is handed in with it, if anything: it declares the attempt before
     * @param known what is known of the effect meanwhile
     */
    void pause(Duration duration, List<Change> declaration, @Nullable Effect known) {
        Payload header = Header.of("backoff");
        ActivityRecord begun = scope.reach(id, header);
        if (begun == null || !begun.ledger().finalized()) {
            Instant until = until(duration);
            List<Change> begins = new ArrayList<>();
            if (begun == null) {
                begins.addAll(declaration);
                begins.add(new Advance.Begin(FlowBehaviour.operation(id), header,
                        new Request.Sleep(until), known));
            }
            begun = scope.await(id, begins);
        }
        // Cut short by a cancellation: it is no less so when the code runs again.
        scope.output(id, begun);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // The type is that of the argument.
    <T extends @Nullable Object> T signal(String topic, Type type) {
        Payload payload = expecting(topic, type,
                () -> scope.ask(id, Header.of("signal", "topic", topic), new Request.WebHook(topic)));
        return received(payload, type);
    }

    <T extends @Nullable Object> Received<T> signal(String topic, Class<T> type, Duration timeout) {
        if (expecting(topic, type, () -> within(topic, timeout)) == Waited.TIMED_OUT) {
            return Received.timedOut(timeout);
        }
        Payload payload = scope.output(id, Objects.requireNonNull(scope.recorded(id)));
        return Received.arrived(this.<T>received(payload, type), timeout);
    }

    private <R> R expecting(String topic, Type type, Supplier<R> wait) {
        Expectations expectations = scope.incarnation().expectations();
        expectations.add(topic, type);
        try {
            return wait.get();
        } finally {
            expectations.remove(topic, type);
        }
    }

    /**
     * The signal as the code asks for it. If it is not of the type, the code hears of that, and does so whenever it runs again. But if it
     * was read before, it is the code that does not fit, and the workflow is parked. Code that has done nothing since may read it after all.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T extends @Nullable Object> T received(Payload payload, Type type) {
        ActivityRecord mark = scope.recorded(Journal.refused(id));
        boolean refused = mark != null && scope.recorded(Journal.read(id)) == null;
        boolean front = scope.incarnation().progress().nothingAfter(scope.naming().path());
        if (mark != null && refused && !front) {
            throw new SignalUnreadable(id, PayloadError.unreadable(RecordJson.text(mark.output()), null));
        }
        T value;
        try {
            value = scope.<T>read(payload, type);
        } catch (PayloadError e) {
            if (!front || (mark != null && !refused)) {
                throw scope.incarnation().parking().park(id, e);
            }
            if (!refused) {
                record(Journal.refused(id), RecordJson.of(String.valueOf(e.getMessage())));
            }
            throw new SignalUnreadable(id, e);
        }
        if (refused) {
            record(Journal.read(id), Payload.EMPTY);
        }
        return value;
    }

    private void record(String mark, Payload output) {
        scope.hold(new Advance.Do(FlowBehaviour.operation(mark), Header.of("signal-read"), output,
                new Request.Pass(false), null));
    }

    /** Waits for a signal, and for a timer beside it; whichever comes too late is dropped. */
    Waited within(String topic, Duration timeout) {
        String timer = Journal.OWN + "t:" + id;
        Payload header = Header.of("signal", "topic", topic);
        ActivityRecord hook = scope.reach(id, header, topic);
        if (hook != null && hook.ledger().finalized()) {
            ActivityRecord clock = scope.recorded(timer);
            return Scope.dropped(hook) && clock != null && !Scope.dropped(clock) ? Waited.TIMED_OUT : Waited.CAME;
        }
        List<Change> begins = hook != null ? List.of() : List.of(
                new Advance.Begin(FlowBehaviour.operation(id), header, new Request.WebHook(topic)),
                new Advance.Begin(FlowBehaviour.operation(timer),
                        Header.of("timeout", "period", timeout.toString()),
                        new Request.Sleep(until(timeout))));
        Set<String> either = Set.of(id, timer);
        scope.await(begins, either, () -> scope.handle(either));
        hook = scope.recorded(id);
        boolean came = hook != null && hook.ledger().finalized();
        // A signal that came in the same moment must not be dropped.
        scope.hold(new Advance.Drop(FlowBehaviour.operation(came ? timer : id), !came));
        return came ? Waited.CAME : Waited.TIMED_OUT;
    }
}
