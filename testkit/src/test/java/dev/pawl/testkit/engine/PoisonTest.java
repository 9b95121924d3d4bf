package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.kernel.collation.Behaviour;
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
    private final Graph late = Graph.named("late", "1").trigger("begin").pass("pass").edge("begin", "pass").build();
    private final Definition broken = new Throwing(good);
    private final Engine engine = engine("one", good, broken);

    /** A definition that can tell the kernel nothing. */
    private record Throwing(Definition like) implements Definition {

        @Override
        public String name() {
            return "broken";
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

    private Engine engine(String name, Definition... definitions) {
        return new Engine(name, store, "test", "shop", List.of(definitions), task -> {}, clock,
                EngineSettings.DEFAULT.withShards(1));
    }

    private void run(Engine driven) {
        for (int turn = 0; turn < 2_000; turn++) {
            if (!driven.turn()) {
                clock.advance(Duration.ofSeconds(10));
            }
        }
    }

    @Test
    void startOfAnUnknownDefinitionWaitsUnchargedUntilAnEngineHasItAndOthersGoOn() {
        store.createShards("test", "shop", 1);
        start("early", "late");
        start("fine", "good");
        run(engine);

        assertThat(store.all()).extracting(WorkflowRecord::status).containsExactlyInAnyOrder(WorkflowStatus.COMPLETED,
                WorkflowStatus.PARKED);
        assertThat(store.givenUp("test", null, 10).items()).isEmpty();
        engine.drain();
        engine.depart();

        run(engine("two", good, late));

        assertThat(store.all()).extracting(WorkflowRecord::status).containsOnly(WorkflowStatus.COMPLETED);
        assertThat(store.undelivered()).isZero();
    }

    @Test
    void messageThatAlwaysThrowsIsGivenUpAfter99EntriesAndOthersGoOn() {
        store.createShards("test", "shop", 1);
        start("poison", "broken");
        start("fine", "good");
        run(engine);

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
