package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.CheckpointOwnershipCapabilityError;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Where the store cannot keep two owners apart, an engine says so before it touches anything. That it can where it says so is for
 * the store's contract to show: {@code CommitContract.oneOfManyCommitsFromTheSameVersionSucceeds}.
 */
class CheckpointOwnershipTest {

    private final SimClock clock = new SimClock();
    private final SimStore weak = new SimStore(clock, new StoreCapabilities(true, false, true, true), Set.of());
    private final Graph graph = Graph.named("order", "1").trigger("begin").pass("pass").edge("begin", "pass").build();

    private Engine engine(EngineSettings settings) {
        return new Engine("one", weak, "test", "shop", List.of(graph), task -> {}, clock, settings);
    }

    @Test
    void engineThatMayNotBeAloneRefusesAStoreThatCannotTellOwnersApart() {
        assertThatThrownBy(() -> engine(EngineSettings.DEFAULT))
                .isInstanceOfSatisfying(CheckpointOwnershipCapabilityError.class,
                        error -> assertThat(error.code()).isEqualTo("CheckpointOwnershipCapabilityError"))
                .hasMessageContaining("conditionalBatch").hasMessageContaining("cas-required")
                .hasMessageContaining(SimStore.class.getName()).hasMessageContaining("single-owner");
        assertThat(weak.leases("test", "shop")).isEmpty();
        assertThat(weak.presences("test", "shop")).isEmpty();
    }

    @Test
    void engineThatIsAloneRunsOnSuchAStore() {
        Engine engine = engine(EngineSettings.DEFAULT.withCheckpointOwnership(CheckpointOwnership.SINGLE_OWNER));
        engine.turn();
        engine.start("order", "1", "o-1", Payload.EMPTY);
        clock.advance(EngineSettings.DEFAULT.lookEvery());
        while (engine.turn()) {
            // Until there is nothing left to do.
        }

        assertThat(weak.all()).extracting(WorkflowRecord::status).containsExactly(WorkflowStatus.COMPLETED);
    }

    @Test
    void modesAreSpelledAsInConfigurationFiles() {
        assertThat(CheckpointOwnership.values()).extracting(CheckpointOwnership::toString)
                .containsExactly("cas-required", "single-owner");
    }
}
