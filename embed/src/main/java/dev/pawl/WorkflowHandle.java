package dev.pawl;

import dev.pawl.engine.flow.ActivityCancelled;
import dev.pawl.engine.flow.CompletionToken;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.PayloadError;
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
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A workflow, wherever it runs. Everything it says is durable. Safe for use by many threads.
 *
 * @param <O> what the workflow returns
 */
public final class WorkflowHandle<O extends @Nullable Object> {

    private static final int SIGNAL_ID_BYTES_MAX = 128;
    private static final int EVENTS_PAGE = 1_000;

    private final Pawl pawl;
    private final WorkflowKey key;
    private final Type output;

    /** The number of the latest end before it was started here, or {@link Ends#UNKNOWN}. */
    private final long since;

    private final RunChain chain;

    WorkflowHandle(Pawl pawl, WorkflowKey key, Type output) {
        this(pawl, key, output, Ends.UNKNOWN);
    }

    WorkflowHandle(Pawl pawl, WorkflowKey key, Type output, long since) {
        this.pawl = pawl;
        this.key = key;
        this.output = output;
        this.since = since;
        this.chain = new RunChain(pawl, key);
    }

    public String id() {
        return key.workflowId();
    }

    /**
     * Waits for the end, for as long as it takes. Throws {@link WorkflowFailed} if there is no result. A workflow that is parked does not
     * end before a person has decided: that is logged once, and waited for all the same.
     */
    public O result() {
        return result(EndWait.FOREVER);
    }

    /**
     * Waits for the end of the last run, but no longer than that for all runs together. Throws {@link WorkflowParked} if the workflow is parked
     * when the time is up.
     */
    public O result(Duration timeout) {
        Instant deadline = EndWait.deadline(pawl, timeout);
        WorkflowKey run = chain.known();
        while (true) {
            WorkflowKey waited = run;
            boolean first = waited.equals(key);
            // A run that continues another one begins after it, so that its end cannot have been missed either.
            Write.CloseWorkflow end = new EndWait(pawl, waited, since, () -> stored(waited, first))
                    .await(timeout, deadline);
            if (end.status() != WorkflowStatus.CONTINUED_AS_NEW || end.reason() == null) {
                return outcome(waited, end);
            }
            run = new WorkflowKey(key.namespace(), end.reason());
            chain.seen(run);
        }
    }

    private O outcome(WorkflowKey run, Write.CloseWorkflow end) {
        if (end.status() != WorkflowStatus.COMPLETED) {
            throw new WorkflowFailed(run.workflowId(), end.status(),
                    Objects.toString(end.reason(), "no reason was given"));
        }
        return decode(end.output(), output);
    }

    /** The id of the run that is open, or of the last one. The first run has the id of the workflow; each continue-as-new begins another. */
    public String runId() {
        return record("run").key().workflowId();
    }

    /** The ids of all runs of this workflow, first to last. A handle to one of them follows its successors like this one. */
    public List<String> runIds() {
        return reading("runs", chain::ids);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Null is a value like any other.
    private <T extends @Nullable Object> T decode(Payload payload, Type type) {
        return pawl.codec().<T>decode(payload, type);
    }

    /** A run that continues another one is not there before its start was read, though that is durable. */
    private @Nullable WorkflowRecord stored(WorkflowKey run, boolean required) {
        WorkflowRecord workflow = pawl.store().workflow(run);
        return required ? found(workflow) : workflow;
    }

    /** The row of the run that is open, or of the last one. */
    private WorkflowRecord record(String what) {
        return found(reading(what, () -> Optional.ofNullable(chain.current())).orElse(null));
    }

    private WorkflowKey run(String what) {
        return record(what).key();
    }

    private WorkflowRecord found(@Nullable WorkflowRecord workflow) {
        if (workflow == null) {
            throw WorkflowError.notFound(id());
        }
        return workflow;
    }

    private Snapshot snapshot(String what) {
        WorkflowKey run = run(what);
        return reading(what, () -> pawl.store().load(run));
    }

    /** Reads from the store, for as long as calls have that have no time limit of their own. */
    private <T> T reading(String what, Supplier<T> read) {
        return pawl.calling(what + " of " + id(), read);
    }

    public WorkflowStatus status() {
        return record("status").status();
    }

    /** Why it is held, or ended before its time; null if there is nothing to say. */
    public @Nullable String reason() {
        return record("reason").reason();
    }

    /**
     * Sends a signal. While the store is away it is sent again, for {@link PawlBuilder#callTimeout} at most, and counts once; sent by a
     * second call it is another signal.
     */
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
            throw WorkflowError.validation("a signal's name must not be empty, nor begin with one of "
                    + FlowControl.RESERVED_TEXT + "; choose another name");
        }
    }

    private AcceptedSignalResult signal(String name, @Nullable Object payload, String signalId, boolean keyed) {
        validateSignal(name, signalId);
        Payload encoded = pawl.codec().encode(payload);
        refuseUnreadable(name, encoded, signalId);
        return send(name, new Response.Final(encoded), signalId, keyed, pawl.callTimeout());
    }

    /** A signal that no wait of the code could read, as far as is known here. One that was accepted before is answered as before. */
    private void refuseUnreadable(String name, Payload payload, String signalId) {
        PayloadError error = null;
        for (Type type : pawl.expected(key, name)) {
            try {
                pawl.codec().<Object>decode(payload, type);
                return;
            } catch (PayloadError e) {
                error = e;
            }
        }
        if (error != null && !pawl.store().accepted(key, name, signalId)) {
            throw WorkflowError.unreadable(id(), name, String.valueOf(error.getMessage()));
        }
    }

    /**
     * Sends a signal to the run that is open. With a key the first run is asked first, and then each one after it: the one that has accepted
     * the signal before answers as before.
     */
    private AcceptedSignalResult send(String name, Response response, String signalId, boolean keyed, Duration limit) {
        WorkflowKey run = keyed ? key : chain.known();
        SignalResult result = pawl.signal(request(run, name, response, signalId, keyed), limit);
        while (result instanceof SignalResult.WorkflowClosed) {
            WorkflowKey ended = run;
            WorkflowKey next = reading("successor", () -> Optional.ofNullable(pawl.store().workflow(ended))
                    .map(RunChain::next)).orElse(null);
            if (next == null) {
                break;
            }
            run = next;
            result = successor(request(run, name, response, signalId, keyed), limit);
        }
        return accepted(result, name, signalId);
    }

    /** The start of a successor is in the commit of the run before it, but may still be in an inbox. */
    private SignalResult successor(SignalRequest request, Duration limit) {
        SignalResult result = pawl.signal(request, limit);
        for (long pause = 1; result instanceof SignalResult.WorkflowMissing
                && pause <= EndWait.LOOK_MILLIS_MAX; pause *= 2) {
            pawl.pause(pause, "signal " + request.signalName() + " to " + request.workflow().workflowId());
            result = pawl.signal(request, limit);
        }
        return result;
    }

    private SignalRequest request(WorkflowKey run, String name, Response response, String signalId, boolean keyed) {
        Instant now = pawl.clock().instant();
        return new SignalRequest(run, name, signalId, keyed, response, now, now.plus(pawl.signalRetention()));
    }

    SignalRequest request(String name, @Nullable Object payload, String signalId) {
        validateSignal(name, signalId);
        return request(key, name, new Response.Final(pawl.codec().encode(payload)), signalId, true);
    }

    /** What became of a signal that was sent with a start: a workflow that has continued as new gets it in its open run. */
    void startedWith(SignalResult result, SignalRequest request) {
        if (result instanceof SignalResult.WorkflowClosed) {
            send(request.signalName(), request.response(), request.signalId(), true, pawl.callTimeout());
        } else {
            accepted(result, request.signalName(), request.signalId());
        }
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
        issuing(token);
        send(token, response, token.requestId(), true);
    }

    void heartbeat(CompletionToken token) {
        if (token.withdrawn(issuing(token))) {
            throw new ActivityCancelled(token.operationId() + " of " + id()
                    + " is not waited for any more: it was cancelled, or its workflow is over; stop working on it");
        }
        send(token, FlowControl.heartbeat(), pawl.freshId(), false);
    }

    /** The workflow that has issued a token; any other token is refused. */
    private Snapshot issuing(CompletionToken token) {
        Snapshot snapshot = reading("token", () -> pawl.store().load(key));
        found(snapshot.workflow());
        if (!token.issuedBy(snapshot)) {
            throw WorkflowError.validation("this is not a token that " + token.operationId() + " of " + id()
                    + " was handed over with; pass the text that ActivityContext.token() returned, unchanged");
        }
        return snapshot;
    }

    /** Not passed on to a workflow that continues this one: it has tokens of its own. */
    private void send(CompletionToken token, Response response, String requestId, boolean keyed) {
        accepted(pawl.signal(request(key, token.topic(), response, requestId, keyed), pawl.callTimeout()),
                token.topic(),
                requestId);
    }

    private static AcceptedSignalResult answer(dev.pawl.engine.store.AcceptedSignal signal) {
        return new AcceptedSignalResult(true, signal.workflow().workflowId(), signal.signalName(), signal.signalId(),
                signal.acceptedAt(), signal.signalStorageKey());
    }

    /** Has an update answered by the flow, and waits for the answer. */
    public <T extends @Nullable Object> T update(String name, @Nullable Object input, Class<T> type) {
        return update(name, input, type, pawl.freshId(), EndWait.FOREVER, false);
    }

    /**
     * An update that may be asked for again: it is applied once, and answered the same way each time. Throws {@link WorkflowParked} if the
     * workflow is parked when the time is up; the update is answered when the workflow goes on.
     */
    public <T extends @Nullable Object> T update(String name, @Nullable Object input, Class<T> type, String updateId,
            Duration timeout) {
        validate("an updateId", updateId);
        return update(name, input, type, updateId, timeout, true);
    }

    private <T extends @Nullable Object> T update(String name, @Nullable Object input, Class<T> type, String updateId,
            Duration timeout, boolean keyed) {
        Instant deadline = EndWait.deadline(pawl, timeout);
        AcceptedSignalResult accepted = send(FlowControl.updateTopic(name),
                new Response.Final(pawl.codec().encode(input)), updateId, keyed, timeout);
        Payload answer = new AnswerWait(pawl, new WorkflowKey(key.namespace(), accepted.workflowId()),
                FlowControl.updateTopic(name),
                accepted.signalStorageKey()).await(timeout, deadline);
        String failure = FlowControl.failure(answer);
        if (failure != null) {
            throw FlowControl.refused(answer) ? WorkflowError.refused(name, failure)
                    : WorkflowError.update(failure);
        }
        return decode(answer, type);
    }

    /** Asks the flow something, about what is durable. Nothing is changed by it. */
    public <T extends @Nullable Object> T query(String name, @Nullable Object input, Class<T> type) {
        Snapshot snapshot = snapshot("query");
        return decode(pawl.query(snapshot, name, pawl.codec().encode(input)), type);
    }

    /** Asks the flow to come to its end: its waits throw, and what it has to take back it takes back. */
    public void cancel(String reason) {
        send(FlowControl.CANCEL_TOPIC, new Response.Final(FlowControl.reason(reason)), FlowControl.CANCEL_TOPIC, true,
                pawl.callTimeout());
    }

    /** What has happened, in order: one event for each commit, each with the hash of the one before it. */
    public List<Event> events() {
        WorkflowKey run = run("events");
        List<Event> all = new ArrayList<>();
        List<Event> page;
        do {
            page = reading("events", () -> pawl.store().events(run, all.size(), EVENTS_PAGE));
            all.addAll(page);
        } while (page.size() == EVENTS_PAGE);
        return all;
    }

    /** Checks its record, like {@link Pawl#check}. */
    public CheckReport check() {
        return pawl.check(id());
    }

    /** What is known of its effects on the outside world: one record for each operation with a key. */
    public List<EffectRecord> effects() {
        WorkflowKey run = run("effects");
        return reading("effects", () -> pawl.store().effects(run));
    }

    /** What it is found by: texts, whole numbers, truths and times, by name. */
    public Map<String, Object> attributes() {
        Map<String, Object> values = new TreeMap<>();
        for (Attribute attribute : stored("attributes")) {
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

    private List<Attribute> stored(String what) {
        WorkflowKey run = run(what);
        return reading(what, () -> pawl.store().attributes(run));
    }

    /** What it is shown with, by name, as JSON is read: maps, lists, texts, numbers, truths, null. */
    public Map<String, @Nullable Object> memo() {
        Map<String, @Nullable Object> values = new TreeMap<>();
        for (Attribute attribute : stored("memo")) {
            if (attribute instanceof Attribute.Memo memo) {
                values.put(memo.name(), this.<@Nullable Object>decode(memo.value(), Object.class));
            }
        }
        return values;
    }

    /** The operations of the flow, with their ledgers. */
    public List<ActivityRecord> operations() {
        return FlowControl.operations(snapshot("operations"));
    }
}
