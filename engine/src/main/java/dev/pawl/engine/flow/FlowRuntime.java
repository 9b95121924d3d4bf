package dev.pawl.engine.flow;

import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.shard.Definitions;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.FlowThreads;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the code of flows, each on threads of its own, and puts aside those that wait. Safe for use by many threads. */
public final class FlowRuntime implements FlowHost {

    private static final Logger LOG = System.getLogger(FlowRuntime.class.getName());

    /** Not worth a thread. */
    private static final int FEW = 2;

    /** Counts slots that ran out while their holders were still at work. */
    public static final String SLOTS_LOST = "SlotsLostTotal";

    private static final long DRAIN_PAUSE_NANOS = 1_000_000;

    private final Definitions definitions;
    private final Codec codec;
    private final InstantSource clock;
    private final FlowThreads threads;
    private final Map<WorkflowKey, Incarnation> live = new ConcurrentHashMap<>();
    private final Waiters waiters;
    private final Set<Incarnation> unflushed = ConcurrentHashMap.newKeySet();
    private final Queue<CompletableFuture<Void>> woken = new ConcurrentLinkedQueue<>();
    private final Confirmations confirmations = new Confirmations();
    private final Answers answers = new Answers();
    private volatile EngineLink engine = EngineLink.NONE;
    private volatile BiConsumer<WorkflowKey, Write.CloseWorkflow> ending = (workflow, end) -> {};

    /**
     * Runs nothing yet.
     *
     * @param waitingMax how many flows that wait are kept as they are; others are put aside and run again when they wake
     */
    public FlowRuntime(Definitions definitions, Codec codec, InstantSource clock, FlowThreads threads,
            int waitingMax) {
        this.definitions = definitions;
        this.codec = codec;
        this.clock = clock;
        this.threads = threads;
        this.waiters = new Waiters(waitingMax);
    }

    /**
     * The engine it works for, which has to be made after it.
     *
     * @param newStore what the engine writes to; only read here
     * @param newPools where attempts wait that are limited
     */
    public void connect(Consumer<Submission> newSubmitting, Consumer<Transaction> newTransacting,
            Consumer<WorkflowKey> newReviving, Store newStore, Pools newPools) {
        engine = new EngineLink(newSubmitting, newTransacting, newReviving, newStore, newPools);
    }

    /** Is told from now on of every workflow that ends here, from any thread. */
    public void onEnd(BiConsumer<WorkflowKey, Write.CloseWorkflow> newEnding) {
        ending = newEnding;
    }

    EngineLink engine() {
        return engine;
    }

    Confirmations confirmations() {
        return confirmations;
    }

    /** What was counted here since it began, by name. */
    public Map<String, Long> counters() {
        return Map.of(Confirming.WARNINGS, confirmations.warnings(), SLOTS_LOST, pools().lost());
    }

    /** Where attempts wait that are limited. */
    public Pools pools() {
        return engine.pools();
    }

    Codec codec() {
        return codec;
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
        live.compute(news.workflow().key(),
                (key, running) -> running != null && running.tell(news) ? running : begin(news));
    }

    private @Nullable Incarnation begin(News news) {
        if (!(definition(news.workflow()) instanceof Flow<?, ?> flow)) {
            return null;
        }
        Incarnation incarnation = new Incarnation(this, flow, news, news.all().get(), false);
        threads.start("pawl-flow-" + news.workflow().key().workflowId(), () -> run(incarnation));
        return incarnation;
    }

    private @Nullable Object definition(WorkflowRecord workflow) {
        try {
            return definitions.find(workflow.beginning().definition(), workflow.beginning().definitionVersion());
        } catch (Definitions.Unknown e) {
            LOG.log(Level.WARNING, workflow.key() + " cannot run: " + e.getMessage());
            return null;
        }
    }

    private void run(Incarnation incarnation) {
        try {
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
    private void broken(Incarnation incarnation, Throwable e) {
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
            running.die("the workflow is over");
            waiters.remove(running);
        }
        confirmations.forget(workflow);
        ending.accept(workflow, end);
    }

    @Override
    public void lost(ShardId shard) {
        confirmations.forget(shard);
        for (Iterator<Incarnation> each = live.values().iterator(); each.hasNext();) {
            Incarnation running = each.next();
            if (running.shard().equals(shard)) {
                running.die("the shard is not owned any more");
                each.remove();
                waiters.remove(running);
            }
        }
    }

    /** Lets what is under way come to its end, but not for longer than that, and begins nothing new. */
    public void drain(Duration longest) {
        Instant deadline = clock.instant().plus(longest);
        live.values().forEach(running -> running.outbox().drain());
        while (clock.instant().isBefore(deadline)
                && !(live.values().stream().allMatch(Incarnation::drained) && pools().settled())) {
            LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
        }
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

    /** What it holds must not be held for long. */
    void flushSoon(Incarnation incarnation) {
        if (unflushed.add(incarnation)) {
            threads.soon(() -> {
                unflushed.remove(incarnation);
                incarnation.outbox().flush();
            });
        }
    }

    /** A payload that is a text. */
    String text(Payload payload) {
        String text = codec.decode(payload, String.class);
        return text == null ? "" : text;
    }

    /**
     * Answers a query from what is durable: runs the code as far as the record goes, without changing anything, and asks it then. So it
     * does not matter who owns the workflow.
     */
    public Payload query(Snapshot snapshot, String name, Payload input) throws Exception {
        WorkflowRecord workflow = snapshot.workflow();
        ActivityRecord code = snapshot.activity(FlowBehaviour.FLOW);
        if (workflow == null || code == null || !(definition(workflow) instanceof Flow<?, ?> flow)) {
            throw new QueryFailed("there is no flow to ask");
        }
        State state = new State(List.copyOf(snapshot.activities()), snapshot.signals());
        News news = new News(new ShardId(workflow.key().namespace(), workflow.beginning().group(), 0), workflow, code,
                0, List.of(), List.of(), () -> state);
        Incarnation reading = new Incarnation(this, flow, news, state, true);
        CompletableFuture<Void> done = new CompletableFuture<>();
        threads.start("pawl-query-" + workflow.key().workflowId(), () -> {
            run(reading);
            done.complete(null);
        });
        threads.await(done);
        Handlers.Answering answering = reading.handlers().query(name);
        if (answering == null) {
            throw new QueryFailed("the flow answers no query called " + name
                    + ", or has not come to where it says so");
        }
        return answering.answer(input);
    }

    static String utf8(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
