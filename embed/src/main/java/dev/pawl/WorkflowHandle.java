package dev.pawl;

import dev.pawl.engine.flow.CompletionToken;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A workflow, wherever it runs. Everything it says is durable. Safe for use by many threads.
 *
 * @param <O> what the workflow returns
 */
public final class WorkflowHandle<O extends @Nullable Object> {

    private static final int SIGNAL_ID_BYTES_MAX = 128;
    private static final long ANSWER_MILLIS_MAX = 50;
    private static final int EVENTS_PAGE = 1_000;

    private final Pawl pawl;
    private final WorkflowKey key;
    private final Type output;

    /** Its end cannot have been missed: whatever becomes of it here is heard. */
    private final boolean begunHere;

    /** Its start is durable, but it may not be there yet. */
    private final boolean onItsWay;

    WorkflowHandle(Pawl pawl, WorkflowKey key, Type output) {
        this(pawl, key, output, false);
    }

    WorkflowHandle(Pawl pawl, WorkflowKey key, Type output, boolean begunHere) {
        this(pawl, key, output, begunHere, false);
    }

    private WorkflowHandle(Pawl pawl, WorkflowKey key, Type output, boolean begunHere, boolean onItsWay) {
        this.pawl = pawl;
        this.key = key;
        this.output = output;
        this.begunHere = begunHere;
        this.onItsWay = onItsWay;
    }

    public String id() {
        return key.workflowId();
    }

    /** Waits for the end, for as long as it takes. Throws {@link WorkflowFailed} if there is no result. */
    public O result() {
        return result(EndWait.FOREVER);
    }

    /** Waits for the end, but no longer than that. */
    public O result(Duration timeout) {
        Write.CloseWorkflow end = new EndWait(pawl, key, begunHere, this::stored).await(timeout);
        if (end.status() == WorkflowStatus.CONTINUED_AS_NEW && end.reason() != null) {
            return following(end.reason()).result(timeout);
        }
        if (end.status() != WorkflowStatus.COMPLETED) {
            throw new WorkflowFailed(id(), end.status(), Objects.toString(end.reason(), "no reason was given"));
        }
        return decode(end.output(), output);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Null is a value like any other.
    private <T extends @Nullable Object> T decode(Payload payload, Type type) {
        return pawl.codec().<T>decode(payload, type);
    }

    /** What this one goes on in: its start is in the commit of this one's end. */
    private WorkflowHandle<O> following(String workflowId) {
        return new WorkflowHandle<>(pawl, new WorkflowKey(key.namespace(), workflowId), output, false, true);
    }

    private @Nullable WorkflowRecord stored() {
        return onItsWay ? snapshot().workflow() : record();
    }

    private WorkflowRecord record() {
        WorkflowRecord workflow = snapshot().workflow();
        if (workflow == null) {
            throw WorkflowError.notFound(id());
        }
        return workflow;
    }

    private Snapshot snapshot() {
        return pawl.store().load(key);
    }

    public WorkflowStatus status() {
        return record().status();
    }

    /** Why it is held, or ended before its time; null if there is nothing to say. */
    public @Nullable String reason() {
        return record().reason();
    }

    /** Sends a signal once. Sent again, after a time-out for example, it is another one. */
    public AcceptedSignalResult signal(String name, @Nullable Object payload) {
        return signal(name, payload, pawl.freshId(), false);
    }

    /** Sends a signal that may be sent again: it is accepted once, and answered the same way each time. */
    public AcceptedSignalResult signal(String name, @Nullable Object payload, String signalId) {
        return signal(name, payload, signalId, true);
    }

    /** Taken as it is: nothing is trimmed, folded or normalised, so there is nothing else to refuse. */
    static void validate(String what, String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > SIGNAL_ID_BYTES_MAX) {
            throw WorkflowError.validation(what + " has 1 to " + SIGNAL_ID_BYTES_MAX + " bytes, not " + bytes);
        }
    }

    private static void validateSignal(String name, String signalId) {
        validate("a signalId", signalId);
        if (name.isEmpty() || FlowControl.reserved(name)) {
            throw WorkflowError.validation("a signal's name must not be empty, nor begin with pawl: or pawl-decide:");
        }
    }

    private AcceptedSignalResult signal(String name, @Nullable Object payload, String signalId, boolean keyed) {
        validateSignal(name, signalId);
        return send(name, pawl.codec().encode(payload), signalId, keyed);
    }

    private AcceptedSignalResult send(String name, Payload payload, String signalId, boolean keyed) {
        return send(name, new Response.Final(payload), signalId, keyed);
    }

    /** A workflow that went on in another one passes on what comes for it, unless it had come before. */
    private AcceptedSignalResult send(String name, Response response, String signalId, boolean keyed) {
        SignalRequest request = request(name, response, signalId, keyed);
        SignalResult result = pawl.signal(request);
        for (long pause = 1; onItsWay && result instanceof SignalResult.WorkflowMissing
                && pause <= EndWait.LOOK_MILLIS_MAX; pause *= 2) {
            pawl.pause(pause);
            result = pawl.signal(request);
        }
        if (result instanceof SignalResult.WorkflowClosed) {
            WorkflowHandle<O> successor = successor();
            if (successor != null) {
                return successor.send(name, response, signalId, keyed);
            }
        }
        return accepted(result, name, signalId);
    }

    private SignalRequest request(String name, Response response, String signalId, boolean keyed) {
        Instant now = pawl.clock().instant();
        return new SignalRequest(key, name, signalId, keyed, response, now, now.plus(pawl.signalRetention()));
    }

    SignalRequest request(String name, @Nullable Object payload, String signalId) {
        validateSignal(name, signalId);
        return request(name, new Response.Final(pawl.codec().encode(payload)), signalId, true);
    }

    AcceptedSignalResult accepted(SignalResult result, String name, String signalId) {
        return switch (result) {
            case SignalResult.Accepted accepted -> answer(accepted.signal());
            case SignalResult.Duplicate duplicate -> answer(duplicate.signal());
            case SignalResult.WorkflowClosed closed -> throw WorkflowError.closed(id());
            case SignalResult.WorkflowMissing missing -> throw WorkflowError.notFound(id());
            case SignalResult.Indeterminate indeterminate ->
                throw new SignalAcceptanceIndeterminate(id(), name, signalId, pawl.freshId());
        };
    }

    void complete(CompletionToken token, Response response) {
        send(token.topic(), response, "completion", true);
    }

    void heartbeat(CompletionToken token) {
        send(token.topic(), FlowControl.heartbeat(), pawl.freshId(), false);
    }

    private @Nullable WorkflowHandle<O> successor() {
        WorkflowRecord workflow = record();
        return workflow.status() == WorkflowStatus.CONTINUED_AS_NEW && workflow.reason() != null
                ? following(workflow.reason())
                : null;
    }

    private static AcceptedSignalResult answer(dev.pawl.engine.store.AcceptedSignal signal) {
        return new AcceptedSignalResult(true, signal.workflow().workflowId(), signal.signalName(), signal.signalId(),
                signal.acceptedAt(), signal.signalStorageKey());
    }

    /** Has an update answered by the flow, and waits for the answer. */
    public <T extends @Nullable Object> T update(String name, @Nullable Object input, Class<T> type) {
        return update(name, input, type, pawl.freshId(), EndWait.FOREVER, false);
    }

    /** An update that may be asked for again: it is applied once, and answered the same way each time. */
    public <T extends @Nullable Object> T update(String name, @Nullable Object input, Class<T> type, String updateId,
            Duration timeout) {
        validate("an updateId", updateId);
        return update(name, input, type, updateId, timeout, true);
    }

    private <T extends @Nullable Object> T update(String name, @Nullable Object input, Class<T> type, String updateId,
            Duration timeout, boolean keyed) {
        AcceptedSignalResult accepted =
                send(FlowControl.updateTopic(name), pawl.codec().encode(input), updateId, keyed);
        Payload answer = answer(accepted.signalStorageKey(), timeout);
        String failure = FlowControl.failure(answer, pawl.codec());
        if (failure != null) {
            throw WorkflowError.update(failure);
        }
        return decode(answer, type);
    }

    private Payload answer(String guid, Duration timeout) {
        Instant deadline = EndWait.deadline(pawl, timeout);
        long pause = 1;
        while (true) {
            Snapshot snapshot = snapshot();
            ActivityRecord answer = snapshot.activity(FlowControl.updateOperation(guid));
            if (answer != null) {
                return answer.output();
            }
            WorkflowRecord workflow = snapshot.workflow();
            if (workflow == null || workflow.status().terminal()) {
                throw WorkflowError.closed(id());
            }
            if (!pawl.clock().instant().isBefore(deadline)) {
                throw WorkflowError.timeout(id() + " has not answered within " + timeout);
            }
            pawl.pause(pause);
            pause = Math.min(2 * pause, ANSWER_MILLIS_MAX);
        }
    }

    /** Asks the flow something, about what is durable. Nothing is changed by it. */
    public <T extends @Nullable Object> T query(String name, @Nullable Object input, Class<T> type) {
        record();
        return decode(pawl.query(snapshot(), name, pawl.codec().encode(input)), type);
    }

    /** Asks the flow to come to its end: its waits throw, and what it has to take back it takes back. */
    public void cancel(String reason) {
        send(FlowControl.CANCEL_TOPIC, pawl.codec().encode(reason), FlowControl.CANCEL_TOPIC, true);
    }

    /** What has happened, in order: one event for each commit, each with the hash of the one before it. */
    public List<Event> events() {
        List<Event> all = new ArrayList<>();
        List<Event> page;
        do {
            page = pawl.store().events(key, all.size(), EVENTS_PAGE);
            all.addAll(page);
        } while (page.size() == EVENTS_PAGE);
        return all;
    }

    /** What is known of its effects on the outside world: one record for each operation with a key. */
    public List<EffectRecord> effects() {
        return pawl.store().effects(key);
    }

    /** What it is found by: texts, whole numbers, truths and times, by name. */
    public Map<String, Object> attributes() {
        Map<String, Object> values = new TreeMap<>();
        for (Attribute attribute : pawl.store().attributes(key)) {
            switch (attribute) {
                case Attribute.Text text -> values.put(text.name(), text.value());
                case Attribute.Whole whole -> values.put(whole.name(), whole.value());
                case Attribute.Flag flag -> values.put(flag.name(), flag.value());
                case Attribute.Time time -> values.put(time.name(), time.value());
                case Attribute.Memo memo -> {}
                case Attribute.Removed removed -> {}
            }
        }
        return values;
    }

    /** What it is shown with, by name, as JSON is read: maps, lists, texts, numbers, truths, null. */
    public Map<String, @Nullable Object> memo() {
        Map<String, @Nullable Object> values = new TreeMap<>();
        for (Attribute attribute : pawl.store().attributes(key)) {
            if (attribute instanceof Attribute.Memo memo) {
                values.put(memo.name(), this.<@Nullable Object>decode(memo.value(), Object.class));
            }
        }
        return values;
    }

    /** The operations of the flow, with their ledgers. */
    public List<ActivityRecord> operations() {
        return FlowControl.operations(snapshot());
    }
}
