package dev.pawl.store.format;

import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Text;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.simulate.SimWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** An engine on a real store whose clock stands still and whose workers rest until they are told. */
final class Bench {

    static final String NAMESPACE = "format";
    static final String GROUP = "shop";

    /** Of a few days: none of them ends during a test. */
    private static final EngineSettings SETTINGS =
            SimWorld.SETTINGS.withLease(Duration.ofDays(30), Duration.ofDays(10));

    final SimClock clock = new SimClock();
    final Engine engine;
    private final Store store;
    private final List<Task> tasks = new ArrayList<>();

    /** The engine reaches the store as it is given here. */
    Bench(String owner, Store store, boolean stepsApart) {
        this.store = store;
        store.createShards(NAMESPACE, GROUP, SETTINGS.shards());
        engine = new Engine(owner, store, NAMESPACE, GROUP, definitions(), tasks::add, clock,
                SETTINGS.withStepsApart(stepsApart));
    }

    Bench(String owner, Store store) {
        this(owner, store, false);
    }

    private static List<Definition> definitions() {
        List<Definition> definitions = new ArrayList<>(Shop.definitions());
        definitions.add(new Poison(definitions.getFirst()));
        return definitions;
    }

    /** The definition of {@link Population#POISONED}: it can tell the kernel nothing, so each of its messages is given up. */
    private record Poison(Definition like) implements Definition {

        @Override
        public String name() {
            return "unknown";
        }

        @Override
        public String version() {
            return like.version();
        }

        @Override
        public String trigger() {
            return like.trigger();
        }

        @Override
        public Behaviour behaviour() {
            throw new IllegalStateException("on purpose");
        }
    }

    /** Whoever had the shards is dead; they are free to be taken, and not cleanly. */
    static void endLeases(Store store) {
        for (Lease lease : store.leases(NAMESPACE, GROUP)) {
            store.abandon(new Fence(lease.shard(), lease.epoch()));
        }
        store.presences(NAMESPACE, GROUP).forEach(engine -> store.depart(NAMESPACE, GROUP, engine.owner()));
    }

    static WorkflowKey key(String id) {
        return new WorkflowKey(NAMESPACE, id);
    }

    /** Until there is nothing to do but to wait. */
    void run() {
        int idle = 0;
        while (idle < 3) {
            idle = engine.turn() ? 0 : idle + 1;
        }
    }

    void start(String definition, String id) {
        engine.start(definition, "1", id, Text.of("order of " + id));
        run();
    }

    SignalRequest request(String id, String signalId) {
        Instant now = clock.instant();
        return new SignalRequest(key(id), Shop.TOPIC, signalId, true, new Response.Final(Text.of("yes " + signalId)),
                now, now.plus(Duration.ofDays(1)));
    }

    SignalResult signal(String id, String signalId) {
        SignalResult result = store.signal(request(id, signalId));
        run();
        return result;
    }

    void interrupt(String id) {
        store.post(GROUP, new Message.Interrupt(key(id), Guid.derive("format", "stop", id),
                Ending.interrupted("no longer wanted", false)));
        run();
    }

    /** Workers answer the tasks of one workflow, of one queue, or whatever is asked for. */
    void work(Predicate<Task> which) {
        List<Task> now = tasks.stream().filter(which).toList();
        tasks.removeAll(now);
        for (Task task : now) {
            var answer = Text.of("did " + task.activity());
            engine.answer(task, task.queue().equals(Shop.BROKEN) ? new Response.Failure(answer)
                    : new Response.Final(answer));
        }
        run();
    }

    void work(String id) {
        work(task -> task.workflow().equals(key(id)));
    }

    void pass(Duration duration) {
        clock.advance(duration);
        run();
    }

    List<WorkflowRecord> open() {
        return all().stream().filter(workflow -> !workflow.status().terminal()).toList();
    }

    List<WorkflowRecord> all() {
        return store.workflows(WorkflowQuery.all(NAMESPACE), null, 1_000).items();
    }

    /** Everybody does what they are waited for, until nothing is open but what never ends. */
    void finish(String... endless) {
        run();
        for (int i = 0; i < 100 && open().size() > endless.length; i++) {
            work(task -> true);
            open().stream().map(workflow -> workflow.key().workflowId()).filter(id -> !List.of(endless).contains(id))
                    .forEach(id -> store.signal(request(id, "finish")));
            pass(Duration.ofMinutes(10));
        }
    }
}
