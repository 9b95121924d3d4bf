package dev.pawl.engine.flow;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.shard.Definitions;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Transacted;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.FlowThreads;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the code of flows, each on threads of its own, and puts aside those that wait. Safe for use by many threads. */
public final class FlowRuntime implements FlowHost {

    private static final Logger LOG = System.getLogger(FlowRuntime.class.getName());

    /** Not worth a thread. */
    private static final int FEW = 2;

    /** Counts slots that ran out while their holders were still at work. */
    public static final String SLOTS_LOST = "SlotsLostTotal";

    /** Nothing stands still for so long; a caller who is interrupted waits no longer. */
    private static final Duration QUERY_MAX = Duration.ofDays(1);

    /** How long an attempt that is stopped is waited for, unless another time is set. */
    public static final Duration CANCEL_GRACE = Duration.ofSeconds(10);

    private static final long DRAIN_PAUSE_NANOS = 1_000_000;

    private final Definitions definitions;
    private final UserCodec codec;
    private final InstantSource clock;
    private final FlowThreads threads;
    private final Supplier<String> secrets;
    private final Map<WorkflowKey, Incarnation> live = new ConcurrentHashMap<>();
    private final Waiters waiters;
    private final Incidents incidents;
    /** May hold something that is to be handed in soon. */
    private final Queue<Incarnation> unflushed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean flushes = new AtomicBoolean();
    private final Queue<CompletableFuture<Void>> woken = new ConcurrentLinkedQueue<>();
    private final Confirmations confirmations = new Confirmations();
    private final Answers answers = new Answers();
    private final OutcomeCourier couriers;
    private final LeftRuns leftRuns = new LeftRuns();
    private final Bodies bodies;
    private final Watchdog watchdog;
    private final Processes processes = new Processes(() -> engine().lease());
    private final Runners runners = new Runners(() -> engine().lease());
    /** Shards that are to be handed to another engine: nothing of them begins here any more. */
    private final Set<ShardId> leaving = ConcurrentHashMap.newKeySet();
    /** Incarnations that are dead, and whose attempts still run: their outcomes have to be sent. */
    private final Set<Incarnation> bereft = ConcurrentHashMap.newKeySet();
    /** Shards in which a flow that was found after an unclean end has been stopped, or not begun, before all it may have been at was declared. */
    private final Set<ShardId> unsettled = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;
    private volatile Duration transactionMax = Transacted.LONGEST;
    private volatile Duration cancelGrace = CANCEL_GRACE;
    private volatile EngineLink engine = EngineLink.NONE;
    private volatile Function<WorkflowKey, @Nullable String> recordCheck = workflow -> null;

    /**
     * Runs nothing yet.
     *
     * @param waitingMax how many flows that wait are kept as they are; others are put aside and run again when they wake
     * @param workersMax how many operations run their user code at a time
     * @param secrets returns another text each time, which no one can guess; for completion tokens
     */
    public FlowRuntime(Definitions definitions, Codec codec, InstantSource clock, FlowThreads threads,
            int waitingMax, int workersMax, Supplier<String> secrets, Incidents incidents) {
        this.incidents = incidents;
        this.definitions = definitions;
        this.codec = UserCodec.of(codec);
        this.clock = clock;
        this.threads = threads;
        this.secrets = secrets;
        this.waiters = new Waiters(waitingMax);
        this.couriers = new OutcomeCourier(this, threads);
        this.bodies = new Bodies(clock, threads, workersMax);
        this.watchdog = new Watchdog(bodies, threads, this::flowThreads);
    }

    /**
     * The engine it works for, which has to be made after it.
     *
     * @param newLease the lease that attempts begin under
     * @param newStore what the engine writes to; here only read, and sent signals
     * @param newPools where attempts wait that are limited
     */
    public void connect(Consumer<Submission> newSubmitting, Consumer<Transaction> newTransacting,
            Consumer<WorkflowKey> newReviving, ProcessLease newLease, Store newStore, Pools newPools) {
        engine = new EngineLink(newSubmitting, newTransacting, newReviving, newLease, newStore, newPools);
    }

    /** Limits how long the statements of one transaction may take, from now on. */
    public void limitTransactions(Duration longest) {
        transactionMax = longest;
    }

    Duration transactionMax() {
        return transactionMax;
    }

    /** How long an attempt that is stopped is waited for, from now on. */
    public void graceAfterCancel(Duration longest) {
        cancelGrace = longest;
    }

    Duration cancelGrace() {
        return cancelGrace;
    }

    /** Has the record of each workflow checked before its code begins to run: what is wrong with it, or null. */
    public void checkRecords(Function<WorkflowKey, @Nullable String> newCheck) {
        recordCheck = newCheck;
    }

    EngineLink engine() {
        return engine;
    }

    OutcomeCourier couriers() {
        return couriers;
    }

    LeftRuns leftRuns() {
        return leftRuns;
    }

    Runners runners() {
        return runners;
    }

    Processes processes() {
        return processes;
    }

    @Override
    public void present(Set<String> present) {
        processes.present(present);
    }

    Confirmations confirmations() {
        return confirmations;
    }

    Incidents incidents() {
        return incidents;
    }

    /** Whether workflows of this flow can run here. */
    boolean registered(Flow<?, ?> flow) {
        return definitions.has(flow.name(), flow.version());
    }

    /** What was counted here since it began, by name. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = incidents.counters();
        counters.putAll(watchdog.counters());
        counters.put(Confirming.WARNINGS, confirmations.warnings());
        counters.put(SLOTS_LOST, pools().lost());
        return counters;
    }

    /** Where attempts wait that are limited. */
    public Pools pools() {
        return engine.pools();
    }

    /** Operations whose user code runs here at the moment, in no order. */
    public List<RunningOperation> operations() {
        return bodies.described();
    }

    /** Reports what runs for longer than that; to be given its turns. */
    public Watchdog watchdog(Duration longAfter) {
        return watchdog.reporting(longAfter);
    }

    private Map<Thread, WorkflowKey> flowThreads() {
        Map<Thread, WorkflowKey> threadsOf = new HashMap<>();
        live.values().forEach(each -> each.strands().threads().forEach(thread -> threadsOf.put(thread, each.key())));
        return threadsOf;
    }

    Bodies bodies() {
        return bodies;
    }

    UserCodec codec() {
        return codec;
    }

    String secret() {
        return secrets.get();
    }

    Answers answers() {
        return answers;
    }

    InstantSource clock() {
        return clock;
    }

    FlowThreads threads() {
        return threads;
    }

    @Override
    public void awake(News news) {
        List<Incarnation> begun = new ArrayList<>();
        live.compute(news.workflow().key(),
                (key, running) -> running != null && running.tell(news) ? running : begin(news, begun));
        // Only now: what it begins is found by whoever asks what runs here.
        for (Incarnation incarnation : begun) {
            if (stopping(news.shard())) {
                incarnation.outbox().drain();
            }
            threads.start("pawl-flow-" + incarnation.key().workflowId(), () -> run(incarnation));
        }
    }

    /** An engine that stops, or hands the shard over, begins nothing but what takes over a step that runs here undeclared. */
    private @Nullable Incarnation begin(News news, List<Incarnation> begun) {
        if ((stopping(news.shard()) && !leftRuns.any(news.workflow().key()))
                || !(definition(news.workflow()) instanceof Flow<?, ?> flow)) {
            if (news.recovery() == Recovery.UNCLEAN) {
                unsettled(news.shard());
            }
            return null;
        }
        Incarnation incarnation = new Incarnation(this, flow, news, news.all().get(), false);
        begun.add(incarnation);
        return incarnation;
    }

    private boolean stopping(ShardId shard) {
        return draining || leaving.contains(shard);
    }

    /** Whether nothing new begins here any more. */
    boolean stops() {
        return draining;
    }

    private @Nullable Object definition(WorkflowRecord workflow) {
        String name = workflow.beginning().definition();
        String version = workflow.beginning().definitionVersion();
        return definitions.has(name, version) ? definitions.find(name, version) : null;
    }

    private void run(Incarnation incarnation) {
        try {
            String wrong = recordCheck.apply(incarnation.key());
            if (wrong != null) {
                throw incarnation.parking().park("RecordChanged", wrong);
            }
            new MainStrand(incarnation).run();
        } catch (Unwound unwound) {
            incarnation.strands().stopped();
            // Whatever it did not hand in never happened; it begins anew when it has to.
            LOG.log(Level.DEBUG, () -> incarnation.key() + " was put aside: " + unwound.getMessage());
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "the code of " + incarnation.key() + " ended without a result", e);
            broken(incarnation, e);
        }
    }

    /** An error is nothing that a workflow fails of: it says something about the program, and another one may do better. */
    void broken(Incarnation incarnation, Throwable e) {
        try {
            incarnation.parking().park("FlowError", Results.Failure.of(e).type() + ": " + e.getMessage());
        } catch (Unwound unwound) {
            LOG.log(Level.DEBUG, () -> incarnation.key() + " could not be parked: " + unwound.getMessage());
        } finally {
            incarnation.strands().stopped();
        }
    }

    @Override
    public void over(WorkflowKey workflow, Write.CloseWorkflow end) {
        Incarnation running = live.remove(workflow);
        if (running != null) {
            running.attempts().stop("the workflow is over", strand -> true);
            running.end("the workflow is over");
            waiters.remove(running);
        }
        confirmations.forget(workflow);
        leftRuns.forget(workflow);
    }

    @Override
    public boolean quiesce(ShardId shard) {
        boolean first = leaving.add(shard);
        boolean quiet = !leftRuns.any(shard);
        for (Incarnation running : live.values()) {
            if (running.shard().equals(shard)) {
                if (first) {
                    running.outbox().drain();
                }
                quiet &= running.drained();
            }
        }
        return quiet;
    }

    @Override
    public boolean declareRunning(ShardId shard) {
        // What an earlier incarnation has left is taken over by the next one, and declared by that. A shard that is handed over has waited for
        // it; an engine that stops does not give back a shard in which it has not happened.
        boolean declared = !draining || !leftRuns.any(shard);
        for (Incarnation running : live.values()) {
            declared &= !running.shard().equals(shard) || running.outbox().declareRunning();
        }
        return declared;
    }

    /** The code of a parked flow is revived by what it is told. */
    @Override
    public void held(WorkflowKey workflow, Write.Hold hold) {}

    @Override
    public void release(List<Runnable> callers) {
        callers.forEach(Runnable::run);
    }

    void unsettled(ShardId shard) {
        unsettled.add(shard);
    }

    @Override
    public boolean settled(ShardId shard) {
        return !unsettled.contains(shard);
    }

    @Override
    public void released(ShardId shard) {
        leftRuns.forget(shard);
    }

    @Override
    public void lost(ShardId shard) {
        leaving.remove(shard);
        confirmations.forget(shard);
        for (Iterator<Incarnation> each = live.values().iterator(); each.hasNext();) {
            Incarnation running = each.next();
            if (running.shard().equals(shard)) {
                running.die("the shard is not owned any more");
                running.attempts().reclaim();
                each.remove();
                waiters.remove(running);
            }
        }
        unsettled.remove(shard);
    }

    /** An incarnation is dead: as long as its attempts run they are known here, whatever takes its place. */
    void bereave(Incarnation incarnation) {
        bereft.add(incarnation);
        settled(incarnation);
    }

    /** An attempt has ended; of a dead incarnation it may have been the last. */
    void settled(Incarnation incarnation) {
        if (!bereft.isEmpty() && incarnation.attempts().settled()) {
            bereft.remove(incarnation);
        }
    }

    /**
     * Lets what is under way come to its end, and begins nothing new. What still runs then is declared, so that the next owner waits for it.
     *
     * @param longest how long what is under way may take
     * @param declaringMax how long the declaration may take after that
     */
    public void drain(Duration longest, Duration declaringMax) {
        stopBeginning();
        await(longest, () -> live.values().stream().allMatch(Incarnation::drained) && bereft.isEmpty()
                && !leftRuns.any() && couriers.idle() && pools().settled());
        await(declaringMax, this::declareRunning);
    }

    private void stopBeginning() {
        if (!draining) {
            draining = true;
            live.values().forEach(running -> running.outbox().drain());
        }
    }

    /** Begins nothing new, and declares what still runs; returns whether that is durable. */
    public boolean declareRunning() {
        stopBeginning();
        boolean declared = true;
        for (Incarnation running : live.values()) {
            declared &= running.outbox().declareRunning();
        }
        return declared;
    }

    private void await(Duration longest, BooleanSupplier settled) {
        Instant deadline = clock.instant().plus(longest);
        while (clock.instant().isBefore(deadline) && !settled.getAsBoolean()) {
            LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
        }
    }

    /** Operations whose functions run here at the moment, for people. */
    public List<String> running() {
        return Stream.concat(live.values().stream(), bereft.stream()).distinct()
                .flatMap(each -> each.attempts().running().stream()
                        .map(operation -> each.key().workflowId() + " " + operation))
                .toList();
    }

    /**
     * Has the outcomes of attempts sent whose end is not durable, so that other engines need not find out; not for longer than that.
     *
     * @return whether nothing is left to be told: nothing runs here any more, and every outcome is sent
     */
    public boolean handOver(Duration longest) {
        live.values().forEach(running -> {
            running.die("the engine stops");
            running.attempts().reclaim();
        });
        await(longest, this::handedOver);
        // In this order: what has ended has its outcome on the way by then.
        return bereft.isEmpty() && handedOver();
    }

    /** Whether every outcome that had to be sent has been. */
    public boolean handedOver() {
        return couriers.idle();
    }

    /** The types of which a signal can be that the code waits for here; empty if no wait for it is known. */
    public List<Type> expected(WorkflowKey workflow, String topic) {
        Incarnation running = live.get(workflow);
        return running == null ? List.of() : running.expectations().of(topic);
    }

    /** Nothing runs here any more. */
    public void close() {
        live.values().forEach(running -> running.die("the engine stops"));
        live.clear();
        pools().close();
    }

    @Override
    public void beside(Runnable work) {
        threads.beside(work);
    }

    /** Its thread runs on when everything has been told: to wake many threads is much cheaper for one of their kind. */
    void wake(CompletableFuture<Void> done) {
        woken.add(done);
    }

    @Override
    public void told() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (CompletableFuture<Void> each = woken.poll(); each != null; each = woken.poll()) {
            all.add(each);
        }
        if (all.size() > FEW) {
            threads.start("pawl-wake", () -> all.forEach(each -> each.complete(null)));
        } else {
            all.forEach(each -> each.complete(null));
        }
    }

    /** Everything of it waits, durably. The ones that have waited longest are put aside. */
    void waits(Incarnation incarnation) {
        Incarnation eldest = waiters.add(incarnation);
        if (eldest != null && eldest.putAside()) {
            live.remove(eldest.key(), eldest);
        }
    }

    /** What it holds must not be held for long. One look for all of them: by then most have handed it in with their next operation. */
    void flushSoon(Incarnation incarnation) {
        unflushed.add(incarnation);
        if (flushes.compareAndSet(false, true)) {
            threads.soon(this::flush);
        }
    }

    private void flush() {
        // First: what comes after it has the next look.
        flushes.set(false);
        try {
            for (Incarnation each = unflushed.poll(); each != null; each = unflushed.poll()) {
                each.outbox().flush();
            }
        } finally {
            // One that fails must not leave the others held: without a later change nothing would look at them again.
            if (!unflushed.isEmpty() && flushes.compareAndSet(false, true)) {
                threads.soon(this::flush);
            }
        }
    }

    /**
     * Answers a query from what is durable: runs the code as far as the record goes, without changing anything, and asks it then. So it
     * does not matter who owns the workflow.
     */
    public Payload query(Snapshot snapshot, String name, Payload input) throws Exception {
        WorkflowRecord workflow = snapshot.workflow();
        ActivityRecord code = snapshot.activity(FlowBehaviour.FLOW);
        if (workflow == null || code == null || !(definition(workflow) instanceof Flow<?, ?> flow)) {
            throw new QueryFailed("there is no flow to ask, or its definition is not registered here");
        }
        State state = new State(List.copyOf(snapshot.activities()), snapshot.signals());
        News news = new News(new ShardId(workflow.key().namespace(), workflow.beginning().group(), 0), workflow, code,
                0, List.of(), List.of(), Recovery.NONE, () -> state);
        Incarnation reading = new Incarnation(this, flow, news, state, true);
        CompletableFuture<Void> done = new CompletableFuture<>();
        threads.start("pawl-query-" + workflow.key().workflowId(), () -> {
            run(reading);
            done.complete(null);
        });
        threads.await(done, QUERY_MAX);
        try {
            Handlers.Answering answering = reading.handlers().query(name);
            if (answering == null) {
                throw new QueryFailed("the flow answers no query called " + name
                        + ", or has not come to where it says so");
            }
            return answering.answer(input);
        } finally {
            // Handlers of updates wait for turns that never come.
            reading.die("the query is answered");
        }
    }

    static String utf8(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
