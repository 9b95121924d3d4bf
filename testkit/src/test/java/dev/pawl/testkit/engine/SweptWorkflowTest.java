package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.Definition;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.shard.ShardLoop;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Swept;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import dev.pawl.testkit.simulate.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A workflow is deleted beside the engine that ran it: nothing the engine remembers of it may come back. */
class SweptWorkflowTest {

    private static final WorkflowKey KEY = new WorkflowKey("test", "order");

    private final SimClock clock = new SimClock();
    private final SimStore store = new SimStore(clock);
    private final Graph graph =
            Graph.named("checkout", "1").trigger("begin").worker("charge", "cards", Duration.ofHours(1))
                    .edge("begin", "charge").build();
    private final List<Task> tasks = new ArrayList<>();
    private final Engine engine = new Engine("one", store, "test", "shop", List.<Definition>of(graph), tasks::add,
            clock, SimWorld.SETTINGS);

    @Test
    void workflowStartedAnewUnderASweptIdGetsItsTasksHandedOut() {
        start();
        store.post("shop", new Message.Interrupt(KEY, Guid.derive("test", "stop"), Ending.interrupted("stop", false)));
        run();
        assertThat(status()).isEqualTo(WorkflowStatus.INTERRUPTED);
        assertThat(sweep().workflows()).isEqualTo(1);

        start();
        assertThat(tasks).hasSize(2);
        engine.answer(tasks.getLast(), new Response.Final(Payload.EMPTY));
        run();

        assertThat(status()).isEqualTo(WorkflowStatus.COMPLETED);
    }

    @Test
    void answerForASweptWorkflowIsDroppedAndTheShardGoesOn() {
        start();
        Response done = new Response.Final(Payload.EMPTY);
        engine.answer(tasks.getFirst(), done);
        run();
        assertThat(sweep().workflows()).isEqualTo(1);

        engine.answer(tasks.getFirst(), done);
        store.post("shop", Message.Respond.answer(KEY, tasks.getFirst().activity(), 1, done));
        run();

        assertThat(store.undelivered()).isZero();
        assertThat(store.load(KEY)).isEqualTo(Snapshot.ABSENT);
        assertThat(engine.shards()).extracting(ShardLoop::state).containsOnly(ShardLoop.State.OWNED);
        start();
        assertThat(tasks).hasSize(2);
    }

    private void start() {
        run();
        engine.start("checkout", "1", "order", Payload.EMPTY);
        run();
    }

    private void run() {
        for (int turn = 0; turn < 20; turn++) {
            engine.turn();
        }
    }

    private Swept sweep() {
        return store.sweep("test", Cutoffs.all(clock.instant().plus(Duration.ofDays(1))), clock.instant(), 10);
    }

    private WorkflowStatus status() {
        return Objects.requireNonNull(store.load(KEY).workflow()).status();
    }
}
