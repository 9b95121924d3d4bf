package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Signals to the code itself that have come and that it has not taken yet; and what it was asked to end for, once it has taken that. */
final class ControlSignals {

    /** The signal that asks for the end, and the operation that has taken it. */
    static final String CANCEL = FlowBehaviour.CONTROL + "cancel";
    private static final String CANCELLED = Journal.OWN + "cancel";

    private final Guard guard;
    private final Journal journal;
    // Under the lock.
    private final Map<String, Message.Signal> untaken = new LinkedHashMap<>();
    /** Outcomes of attempts of other incarnations, by their topics: for the operation that waits for them, and for no one else. */
    private final Map<String, Message.Signal> outcomes = new LinkedHashMap<>();
    /** What is told once more while the word that it was taken is on its way must not be taken twice. */
    private final Set<String> taken = new HashSet<>();
    private @Nullable String cancelled;
    /** Whether an earlier run of the code has taken the request for the end, durably. */
    private final boolean cancelledBefore;

    ControlSignals(Guard guard, Journal journal, List<Message.Signal> signals) {
        this.guard = guard;
        this.journal = journal;
        ActivityRecord asked = journal.get(CANCELLED);
        this.cancelledBefore = asked != null;
        this.cancelled = asked == null ? null : RecordJson.text(asked.output());
        guard.run(() -> note(signals));
    }

    /** Under the lock. */
    void note(List<Message.Signal> signals) {
        guard.require();
        for (Message.Signal signal : signals) {
            if (signal.topic().startsWith(OutcomeCourier.TOPIC)) {
                outcomes.putIfAbsent(signal.topic(), signal);
            } else if (signal.topic().startsWith(FlowBehaviour.CONTROL) && !taken.contains(signal.guid().toString())) {
                untaken.putIfAbsent(signal.guid().toString(), signal);
            }
        }
    }

    /** How an attempt of another incarnation has ended, as far as is known. */
    Message.@Nullable Signal outcome(String topic) {
        return guard.locked(() -> outcomes.get(topic));
    }

    boolean cancelledBefore() {
        return cancelledBefore;
    }

    /** Whether there is a request for the end that was not taken. */
    boolean endRequested() {
        return guard.locked(() -> request() != null);
    }

    /** What the request for the end says that was not taken; null if there is none. Under the lock. */
    @Nullable String endReason() {
        guard.require();
        Message.Signal request = request();
        return request == null ? null : RecordJson.text(request.response().payload());
    }

    private Message.@Nullable Signal request() {
        for (Message.Signal signal : untaken.values()) {
            if (signal.topic().equals(CANCEL)) {
                return signal;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return guard.locked(untaken::isEmpty);
    }

    List<Message.Signal> all() {
        return guard.locked(() -> List.copyOf(untaken.values()));
    }

    void taken(Message.Signal signal) {
        guard.run(() -> {
            untaken.remove(signal.guid().toString());
            taken.add(signal.guid().toString());
        });
    }

    /** Why the flow is to end, if it has taken the request for that. Under the lock. */
    @Nullable String cancelled() {
        guard.require();
        return cancelled;
    }

    /** Takes the request for the end, the first time there is one; what records it is to be handed in. Under the lock. */
    @Nullable Change takeCancellation() {
        guard.require();
        Message.Signal request = cancelled != null ? null : request();
        if (request == null) {
            return null;
        }
        taken(request);
        cancelled = RecordJson.text(request.response().payload());
        return taking(CANCELLED, Payload.EMPTY, request);
    }

    /** Takes decisions to try once more what was parked: recorded with whatever comes of it. Under the lock. */
    List<Change> takeRetries() {
        guard.require();
        List<Change> retries = new ArrayList<>();
        for (Message.Signal signal : all()) {
            if (signal.topic().equals(FlowControl.RETRY_TOPIC)) {
                taken(signal);
                int number = journal.withPrefix(FlowControl.RETRIED).size() + retries.size() + 1;
                retries.add(taking(FlowControl.RETRIED + number, Header.of("decision"), signal));
            }
        }
        return retries;
    }

    private static Change taking(String id, Payload header, Message.Signal signal) {
        return new Advance.Do(FlowBehaviour.operation(id), header, signal.response().payload(),
                new Request.Pass(false), signal.guid());
    }
}
