package dev.pawl;

import dev.pawl.engine.Definition;
import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.flow.Beginnings;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.CompletionToken;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.FlowRuntime;
import dev.pawl.engine.flow.QueryFailed;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.retention.Sweeper;
import dev.pawl.engine.shard.Definitions;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.world.EngineThread;
import dev.pawl.engine.world.Identity;
import dev.pawl.engine.world.SweepThread;
import dev.pawl.engine.world.VirtualThreads;
import dev.pawl.engine.world.VirtualWorkers;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Durable workflows in this process: a store, the definitions it has the code of, and an engine that drives what is in its shards. What
 * another process left behind goes on here as soon as its leases have run out; nothing has to be done for it.
 *
 * <p>Safe for use by many threads. To be closed: then it gives its shards back, and others have them at once.
 */
public final class Pawl implements AutoCloseable {

    private final String namespace;
    private final String group;
    private final Store store;
    private final Codec codec;
    private final InstantSource clock;
    private final Duration signalRetention;
    private final Duration drainTimeout;
    private final VirtualThreads threads = new VirtualThreads();
    private final VirtualWorkers workers = new VirtualWorkers(Map.of());
    private final FlowRuntime runtime;
    private final Ends ends = new Ends();
    private final Engine engine;
    private final EngineThread driver;
    private final Sweeper sweeper;
    private final SweepThread sweeping;

    Pawl(PawlBuilder builder, Store store) {
        this.namespace = builder.namespace;
        this.group = builder.group;
        this.store = store;
        this.codec = builder.codec == null ? new JsonCodec(builder.payloadBytesMax) : builder.codec;
        this.clock = builder.clock;
        this.signalRetention = builder.signalRetention;
        this.drainTimeout = builder.drainTimeout;
        Definitions definitions = new Definitions(builder.definitions);
        this.runtime = new FlowRuntime(definitions, codec, clock, threads, builder.waitingMax);
        String process = Identity.fresh();
        this.engine = new Engine(process, store, namespace, group, builder.definitions, workers, runtime,
                clock, builder.settings.withJoins(true));
        runtime.connect(engine::submit, engine::transact, engine::revive, store,
                new Pools(process, store, threads, builder.settings.leaseTtl(), builder.settings.renewEvery()));
        runtime.onEnd(ends::ended);
        workers.answerTo(engine::answer);
        // Before anybody can start a workflow: it has to know its shard.
        engine.tend();
        this.driver = new EngineThread(group, engine, clock);
        this.sweeper = new Sweeper(store, namespace, builder.retention, builder.sweepEvery, clock);
        this.sweeping = new SweepThread(group, sweeper, clock);
    }

    /** Opens a SQLite file, which is created if it is not there. */
    public static Pawl open(Path file, Definition... definitions) {
        return builder().file(file).definitions(List.of(definitions)).open();
    }

    /** Opens {@code jdbc:sqlite:…} or {@code jdbc:postgresql://…}. */
    public static Pawl open(String jdbcUrl, Definition... definitions) {
        return builder().url(jdbcUrl).definitions(List.of(definitions)).open();
    }

    public static PawlBuilder builder() {
        return new PawlBuilder();
    }

    /**
     * Starts a workflow, or finds the one that was started with this id before. Another definition or input under the same id is
     * refused.
     */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> start(Flow<I, O> flow,
            String workflowId, I input) {
        return start(flow, workflowId, codec.encode(input), List.of());
    }

    /** The same with attributes, a memo, or a time to begin at. */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> start(Flow<I, O> flow,
            String workflowId, I input, StartOptions options) {
        Instant time = options.at();
        List<Attribute> attributes = options.attributes(codec);
        Payload payload = time == null ? codec.encode(input) : Beginnings.delayed(time, codec.encode(input));
        return start(flow, workflowId, Beginnings.carrying(attributes, payload), attributes);
    }

    private <O extends @Nullable Object> WorkflowHandle<O> start(Flow<?, O> flow, String workflowId, Payload payload,
            List<Attribute> attributes) {
        WorkflowKey key = key(workflowId);
        ends.forget(key);
        StartResult result = engine.start(flow.name(), flow.version(), workflowId, payload, attributes);
        refuseConflict(result, flow, payload);
        return new WorkflowHandle<>(this, key, flow.output(), result instanceof StartResult.Started);
    }

    private static void refuseConflict(StartResult result, Flow<?, ?> flow, Payload payload) {
        if (result instanceof StartResult.AlreadyStarted already) {
            WorkflowRecord workflow = already.workflow();
            if (!workflow.beginning().definition().equals(flow.name())
                    || !Beginnings.same(workflow.beginning().input(), payload)) {
                throw WorkflowError.conflict(workflow.key().workflowId());
            }
        }
    }

    /** Starts a workflow whose code begins at a later time. */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> startAt(Instant time,
            Flow<I, O> flow, String workflowId, I input) {
        return start(flow, workflowId, input, StartOptions.NONE.at(time));
    }

    /** Starts a workflow, or finds it, and signals it: both or neither. Sent again with the same ids, nothing happens twice. */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> startWithSignal(Flow<I, O> flow,
            String workflowId, I input, String signalName, @Nullable Object payload, String signalId) {
        WorkflowHandle<O> handle = new WorkflowHandle<>(this, key(workflowId), flow.output());
        Store.StartedWithSignal result = engine.start(flow.name(), flow.version(), workflowId, codec.encode(input),
                handle.request(signalName, payload, signalId));
        refuseConflict(result.start(), flow, codec.encode(input));
        handle.accepted(result.signal(), signalName, signalId);
        return handle;
    }

    /** Completes an activity that was handed to somebody else. A second completion is answered like the first. */
    public void complete(String token, @Nullable Object result) {
        CompletionToken parsed = parse(token);
        workflow(parsed.workflowId()).complete(parsed, new Response.Final(codec.encode(result)));
    }

    /** Says that an activity that was handed to somebody else has failed, for good. */
    public void fail(String token, String message) {
        CompletionToken parsed = parse(token);
        workflow(parsed.workflowId()).complete(parsed, FlowControl.failure(message));
    }

    /** Says that whoever was handed an activity is still at work: its visibility time-out begins anew. Each is recorded. */
    public void heartbeat(String token) {
        CompletionToken parsed = parse(token);
        workflow(parsed.workflowId()).heartbeat(parsed);
    }

    private CompletionToken parse(String token) {
        CompletionToken parsed = CompletionToken.parse(token);
        if (parsed == null || !parsed.namespace().equals(namespace)) {
            throw WorkflowError.validation("this is not a token of an activity");
        }
        return parsed;
    }

    /** A workflow by its id, whether it is there or not. */
    public WorkflowHandle<@Nullable Object> workflow(String workflowId) {
        return new WorkflowHandle<>(this, key(workflowId), Object.class);
    }

    /** A workflow of a flow, by its id. */
    public <O extends @Nullable Object> WorkflowHandle<O> workflow(Flow<?, O> flow, String workflowId) {
        return new WorkflowHandle<>(this, key(workflowId), flow.output());
    }

    /** The newest workflows that are looked for. */
    public Page<WorkflowSummary> workflows(Search search) {
        return workflows(search, null, Search.PAGE);
    }

    /**
     * Workflows that are looked for, newest first, then by id.
     *
     * @param cursor where the page before this one ended ({@link Page#next}); null for the first page
     * @param limit 1 to 500
     */
    public Page<WorkflowSummary> workflows(Search search, @Nullable String cursor, int limit) {
        return search.page(store, namespace, cursor, limit);
    }

    private WorkflowKey key(String workflowId) {
        return new WorkflowKey(namespace, ValidationFailed.name("a workflow's id", workflowId));
    }

    Store store() {
        return store;
    }

    Codec codec() {
        return codec;
    }

    InstantSource clock() {
        return clock;
    }

    Ends ends() {
        return ends;
    }

    Duration signalRetention() {
        return signalRetention;
    }

    String freshId() {
        return Identity.fresh();
    }

    void pause(long millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }

    boolean owns(String workflowId) {
        return engine.owns(workflowId);
    }

    SignalResult signal(SignalRequest request) {
        return engine.signal(request);
    }

    Payload query(Snapshot snapshot, String name, Payload input) {
        try {
            return runtime.query(snapshot, name, input);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new QueryFailed(name + " failed: " + e.getMessage());
        }
    }

    /** What keeps it from driving its share of the workflows, for people; null if nothing does. */
    public @Nullable String trouble() {
        return engine.trouble();
    }

    /** What needs a person. */
    public Attention attention() {
        return new Attention(this, store, namespace);
    }

    /** Decides a case of {@link #attention}. */
    public DecisionRecord decide(String caseId, Decision decision, String subject) {
        return attention().decide(caseId, decision, subject);
    }

    /** What was counted here since it was opened, by name. */
    public Map<String, Long> counters() {
        return runtime.counters();
    }

    /** The pools that limit activities: how many slots of each are held, wherever, and how many attempts wait for one here. */
    public List<Pools.Use> limits() {
        return runtime.pools().uses(namespace);
    }

    /** How long what is over is kept. */
    public Retention retention() {
        return new Retention(sweeper);
    }

    @Override
    public void close() {
        sweeping.close();
        runtime.drain(drainTimeout);
        driver.close();
        runtime.close();
        workers.close();
        threads.close();
        store.close();
    }
}
