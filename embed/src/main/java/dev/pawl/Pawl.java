package dev.pawl;

import dev.pawl.engine.Definition;
import dev.pawl.engine.Incidents;
import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.flow.ActivityCancelled;
import dev.pawl.engine.flow.Beginnings;
import dev.pawl.engine.flow.CompletionToken;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.FlowRuntime;
import dev.pawl.engine.flow.QueryFailed;
import dev.pawl.engine.flow.RunningOperation;
import dev.pawl.engine.flow.UserCodec;
import dev.pawl.engine.flow.Watchdog;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.retention.Sweeper;
import dev.pawl.engine.shard.Definitions;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.world.EngineThread;
import dev.pawl.engine.world.Identity;
import dev.pawl.engine.world.ShutdownHook;
import dev.pawl.engine.world.SweepThread;
import dev.pawl.engine.world.Ticker;
import dev.pawl.engine.world.VirtualThreads;
import dev.pawl.engine.world.VirtualWorkers;
import dev.pawl.engine.world.WatchdogThread;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Durable workflows in this process: a store, the definitions it has the code of, and an engine that drives what is in its shards. What
 * another process left behind goes on here as soon as its leases have run out; nothing has to be done for it.
 *
 * <p>Safe for use by many threads. To be closed: then it gives its shards back, and others have them at once.
 */
public final class Pawl implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Pawl.class.getName());
    private static final int SHOWN_MAX = 5;
    private static final long CHECK_AGAIN_MILLIS = 200;

    private final String namespace;
    private final String group;
    private final Store store;
    private final UserCodec codec;
    private final InstantSource clock;
    private final Duration signalRetention;
    private final Duration drainTimeout;
    private final Duration handOverTimeout;
    private final Duration callTimeout;
    private final StoreRetry retry = new StoreRetry(Ticker::nanos, this::pause);
    private final VirtualThreads threads;
    private final VirtualWorkers workers = new VirtualWorkers(Map.of());
    private final FlowRuntime runtime;
    private final Incidents incidents = new Incidents();
    private final ParkedWarnings parkedWarnings = new ParkedWarnings(incidents);
    private final Ends ends = new Ends(this::shard);
    private final Engine engine;
    private final EngineThread driver;
    private final Sweeper sweeper;
    private final SweepThread sweeping;
    private final WatchdogThread watching;
    private final HealthCheck healthCheck;
    private final Consumer<Throwable> onFatalError;
    private final ShutdownHook hook;
    private final Object closing = new Object();
    private volatile boolean closed;

    Pawl(PawlBuilder builder, Store store) {
        this.namespace = builder.namespace;
        this.group = builder.group;
        this.store = store;
        this.codec = UserCodec.of(builder.codec != null ? builder.codec
                : JsonCodec.builder().payloadBytesMax(builder.payloadBytesMax).build());
        this.clock = builder.clock;
        this.signalRetention = builder.signalRetention;
        this.drainTimeout = builder.drainTimeout;
        this.handOverTimeout = builder.handOverTimeout;
        this.callTimeout = builder.callTimeout;
        Definitions definitions = new Definitions(builder.definitions);
        this.threads = new VirtualThreads(builder.workers);
        this.runtime = new FlowRuntime(definitions, codec, clock, threads, builder.waitingMax, builder.workersMax,
                Identity::secret, incidents);
        String process = Identity.process();
        this.engine = new Engine(process, store, namespace, group, builder.definitions, workers,
                new CallerNotifier(runtime, ends, threads), clock, Ticker::nanos, builder.settings.withJoins(true),
                incidents);
        runtime.connect(engine::submit, engine::transact, engine::revive, engine, store,
                new Pools(process, store, threads, builder.settings.leaseTtl(), builder.settings.renewEvery()));
        runtime.limitTransactions(builder.transactionTimeout);
        runtime.graceAfterCancel(builder.cancelGrace);
        if (builder.checkOnLoad) {
            runtime.checkRecords(this::wrong);
        }
        workers.answerTo(engine::answer);
        // Before anybody can start a workflow: it has to know its shard.
        engine.tend();
        this.onFatalError = builder.onFatalError;
        this.driver = new EngineThread(group, engine, clock, this::died);
        this.sweeper = new Sweeper(store, namespace, builder.retention, builder.sweepEvery, clock);
        this.sweeping = new SweepThread(group, sweeper, clock);
        Watchdog watchdog = runtime.watchdog(builder.longOperationAfter);
        this.watching = new WatchdogThread(group, watchdog::look, watchdog.every(), clock);
        this.healthCheck = new HealthCheck(engine, incidents, driver, sweeper, sweeping, clock);
        this.hook = ShutdownHook.of(builder.shutdownHook, "pawl-" + group + "-shutdown", this::close);
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
        return start(flow, workflowId, codec.encode(input, flow.input()), List.of());
    }

    /** The same with attributes, a memo, or a time to begin at. */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> start(Flow<I, O> flow,
            String workflowId, I input, StartOptions options) {
        Instant time = options.at();
        List<Attribute> attributes = options.attributes(codec);
        Payload encoded = codec.encode(input, flow.input());
        Payload payload = time == null ? encoded : Beginnings.delayed(time, encoded);
        return start(flow, workflowId, Beginnings.carrying(attributes, payload), attributes);
    }

    private <O extends @Nullable Object> WorkflowHandle<O> start(Flow<?, O> flow, String workflowId, Payload payload,
            List<Attribute> attributes) {
        WorkflowKey key = key(workflowId);
        long since = ends.latest();
        // With the same id and the same input a start may be repeated, whatever became of the first attempt.
        StartResult result = calling("start of " + workflowId,
                () -> engine.start(flow.name(), flow.version(), workflowId, payload, attributes));
        refuseConflict(result, flow, payload);
        return new WorkflowHandle<>(this, key, flow.output(), since(result, since));
    }

    /** An end after that is of the workflow that was started. One that exists already may have ended before. */
    private static long since(StartResult result, long latest) {
        return result instanceof StartResult.Started ? latest : Ends.UNKNOWN;
    }

    private void refuseConflict(StartResult result, Flow<?, ?> flow, Payload payload) {
        if (result instanceof StartResult.AlreadyStarted already) {
            if (!same(already.workflow(), flow, payload)) {
                throw WorkflowError.conflict(already.workflow().key().workflowId());
            }
        }
    }

    /** Whether a workflow is what another start with its id asks for. */
    private boolean same(WorkflowRecord workflow, Flow<?, ?> flow, Payload payload) {
        return workflow.beginning().definition().equals(flow.name())
                && Beginnings.same(workflow.beginning().input(), payload, codec);
    }

    /** Starts a workflow whose code begins at a later time. */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> startAt(Instant time,
            Flow<I, O> flow, String workflowId, I input) {
        return start(flow, workflowId, input, StartOptions.NONE.at(time));
    }

    /**
     * Starts a workflow, or finds it, and signals it: both or neither. Sent again with the same ids, nothing happens twice. If the workflow
     * was started with another definition or input, that is refused, and so is the signal: nothing is recorded then.
     */
    public <I extends @Nullable Object, O extends @Nullable Object> WorkflowHandle<O> startWithSignal(Flow<I, O> flow,
            String workflowId, I input, String signalName, @Nullable Object payload, String signalId) {
        WorkflowKey key = key(workflowId);
        long since = ends.latest();
        Payload encoded = codec.encode(input, flow.input());
        SignalRequest request = workflow(flow, workflowId).request(signalName, payload, signalId);
        Store.StartedWithSignal result = calling("start of " + workflowId + " with a signal",
                () -> engine.start(flow.name(), flow.version(), workflowId, encoded, request,
                        existing -> same(existing, flow, encoded)));
        SignalResult signal = result.signal();
        if (signal == null) {
            throw WorkflowError.conflict(workflowId);
        }
        WorkflowHandle<O> handle = new WorkflowHandle<>(this, key, flow.output(), since(result.start(), since));
        handle.startedWith(signal, request);
        return handle;
    }

    /**
     * Completes an activity that was handed over to a worker. A second completion with the same token is answered like the first and changes
     * nothing; of several tokens of one operation the first completion counts.
     *
     * @param token as {@code ActivityContext.token()} returned it; any other text is refused, and nothing is recorded
     */
    public void complete(String token, @Nullable Object result) {
        CompletionToken parsed = parse(token);
        workflow(parsed.workflowId()).complete(parsed, new Response.Final(codec.encode(result)));
    }

    /**
     * Fails an activity that was handed over to a worker, for good. The worker's word is no proof that nothing has happened: the effect stays
     * indeterminate unless the activity has a verifier.
     */
    public void fail(String token, String message) {
        CompletionToken parsed = parse(token);
        workflow(parsed.workflowId()).complete(parsed, FlowControl.failure(message));
    }

    /**
     * Says that a worker is still at work: the visibility time-out of its activity begins anew. Each heartbeat is recorded. Throws
     * {@link ActivityCancelled} if no answer is waited for any more, because the flow was cancelled, its branch has lost a race, or its
     * workflow is over: the worker should stop.
     */
    public void heartbeat(String token) {
        CompletionToken parsed = parse(token);
        workflow(parsed.workflowId()).heartbeat(parsed);
    }

    private CompletionToken parse(String token) {
        CompletionToken parsed = CompletionToken.parse(token);
        if (parsed == null || !parsed.namespace().equals(namespace)) {
            throw WorkflowError.validation("this is not a completion token of the namespace " + namespace
                    + "; pass the text that ActivityContext.token() returned, unchanged");
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
        return calling("search for workflows", () -> search.page(store, namespace, cursor, limit));
    }

    /**
     * Checks the record of a workflow: whether its events follow from one another, and whether its operations, effects and result are what
     * the events say. Finds what was edited in the database or damaged there. Reads only; takes as long as it takes to read all events.
     */
    public CheckReport check(String workflowId) {
        return RecordCheck.of(store, key(workflowId));
    }

    private WorkflowKey key(String workflowId) {
        return new WorkflowKey(namespace, ValidationFailed.name("a workflow's id", workflowId));
    }

    /** What is wrong with a record, or null. A store that is away says nothing about it, and is waited for. */
    private @Nullable String wrong(WorkflowKey workflow) {
        while (true) {
            try {
                CheckReport report = RecordCheck.of(store, workflow);
                return report.consistent() ? null
                        : report.differences().stream().map(CheckReport.Difference::toString)
                                .collect(Collectors.joining("; "));
            } catch (StoreException e) {
                if (closed) {
                    throw e;
                }
                pause(CHECK_AGAIN_MILLIS);
            }
        }
    }

    Store store() {
        return store;
    }

    UserCodec codec() {
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

    /** Between two looks of a caller's, who may be interrupted. */
    void pause(long millis, String what) {
        pause(millis);
        if (Thread.currentThread().isInterrupted()) {
            throw WorkflowError.interrupted(what, null);
        }
    }

    private ShardId shard(WorkflowKey workflow) {
        return engine.shard(workflow);
    }

    boolean owns(String workflowId) {
        return engine.owns(workflowId);
    }

    /** The types of which a signal can be that a workflow waits for here; empty if no wait is known. */
    List<Type> expected(WorkflowKey workflow, String signalName) {
        return runtime.expected(workflow, signalName);
    }

    /**
     * Accepts a signal. Whatever became of an attempt, the same request is accepted once: the store keeps the acceptance by the id, also of
     * a signal whose caller has named none, whose id is as good as any.
     */
    SignalResult signal(SignalRequest request, Duration limit) {
        if (!request.keyed() && !store.capabilities().conditionalBatch()) {
            return engine.signal(request);
        }
        AtomicBoolean again = new AtomicBoolean();
        return retry.call("signal " + request.signalName() + " to " + request.workflow().workflowId(), limit,
                () -> engine.signal(again.getAndSet(true) ? request.repeated() : request));
    }

    /** A call that may run more than once, within the time limit of calls that have none of their own. */
    <T> T calling(String what, Supplier<T> call) {
        return calling(what, callTimeout, call);
    }

    <T> T calling(String what, Duration limit, Supplier<T> call) {
        return retry.call(what, limit, call);
    }

    Duration callTimeout() {
        return callTimeout;
    }

    Payload query(Snapshot snapshot, String name, Payload input) {
        try {
            return runtime.query(snapshot, name, input);
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            throw WorkflowError.interrupted("query " + name, e);
        } catch (Exception e) {
            throw new QueryFailed(name + " failed: " + e.getMessage());
        }
    }

    /** How this instance is: its engine, shards, store, threads and sweeper. Cheap, and never fails. */
    public Health health() {
        return healthCheck.health(closed);
    }

    ParkedWarnings parkedWarnings() {
        return parkedWarnings;
    }

    /** An error has stopped the engine, and its shards are free. Attempts that run here are reported as long as that goes. */
    private void died(Throwable error) {
        try {
            incidents.happened(Incidents.Kind.FATAL_ERROR, Level.ERROR,
                    "no workflow goes on in this process: " + error);
            if (runtime.running().isEmpty()) {
                engine.depart();
            }
        } finally {
            onFatalError.accept(error);
        }
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

    /** Operations whose user code runs in this process at the moment: which, since when, which attempt. In no order. */
    public List<RunningOperation> runningOperations() {
        return runtime.operations();
    }

    /** The pools that limit activities: how many slots of each are held, wherever, and how many attempts wait for one here. */
    public List<Pools.Use> limits() {
        return calling("limits", () -> runtime.pools().uses(namespace));
    }

    /** How long what is over is kept. */
    public Retention retention() {
        return new Retention(sweeper);
    }

    /**
     * Stops in order: begins nothing new, waits for what runs, but for no longer than {@link PawlBuilder#drainTimeout}, and gives the shards
     * back, so that other engines have them at once. What still runs then is interrupted. Called again, it waits for the first call.
     */
    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
            hook.remove();
            shutDown();
        }
    }

    private void shutDown() {
        sweeping.close();
        engine.retire();
        runtime.drain(drainTimeout, handOverTimeout);
        List<String> running = runtime.running();
        if (!running.isEmpty()) {
            LOG.log(Level.WARNING, running.size() + " attempts still run after " + drainTimeout
                    + " and are left behind: "
                    + String.join(", ", running.subList(0, Math.min(running.size(), SHOWN_MAX)))
                    + ". The next owner of their workflows finds out what became of them; a longer drainTimeout lets them"
                    + " end here");
        }
        driver.close();
        // Not while something runs here that other engines would begin again, or an outcome is not sent: then the lease runs out by itself.
        if (runtime.handOver(handOverTimeout)) {
            engine.depart();
        }
        runtime.close();
        watching.close();
        workers.close();
        threads.close();
        store.close();
    }
}
