package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message that can never be run is tried 99 times, given up and shown; nobody else has to suffer for it. */
class PoisonTest {

    private final SimClock clock = new SimClock();
    private final SimStore store = new SimStore(clock);
    private final Graph good = Graph.named("good", "1").trigger("begin").pass("pass").edge("begin", "pass").build();
    private final Engine engine = new Engine("one", store, "test", "shop", List.<Definition>of(good), task -> {}, clock,
            EngineSettings.DEFAULT.withShards(1));

    @Test
    void startOfAnUnknownDefinitionIsGivenUpAfter99EntriesAndOthersGoOn() {
        store.createShards("test", "shop", 1);
        start("poison", "unknown");
        start("fine", "good");
        for (int turn = 0; turn < 2_000; turn++) {
            if (!engine.turn()) {
                clock.advance(Duration.ofSeconds(10));
            }
        }

        assertThat(store.all()).extracting(WorkflowRecord::status).containsExactlyInAnyOrder(WorkflowStatus.COMPLETED,
                WorkflowStatus.RUNNING);
        List<GivenUp> givenUp = store.givenUp("test", null, 10).items();
        assertThat(givenUp).singleElement().satisfies(message -> {
            assertThat(message.delivery().marks()).isEqualTo(99);
            assertThat(message.delivery().message().workflow().workflowId()).isEqualTo("poison");
        });
        assertThat(store.undelivered()).isZero();
        assertThat(engine.shards().getFirst().trouble()).contains("gave up");
    }

    private void start(String id, String definition) {
        Message.Start start = new Message.Start(new WorkflowKey("test", id),
                new Message.Beginning("shop", definition, "1", "begin", 0, Payload.EMPTY, null));
        store.start(start, Collation.inception(start, clock.instant()));
    }
}
