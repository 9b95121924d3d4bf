package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.WorkflowView;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is known of workflows in memory is what is stored, or the shard stops. */
class WorkflowCacheTest {

    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final ShardId SHARD = new ShardId("test", "shop", 0);

    private final Graph graph = Graph.named("work", "1").trigger("begin")
            .worker("work", "queue", Duration.ofSeconds(1)).edge("begin", "work").build();
    private final SimClock clock = new SimClock();
    private final SimStore store = new SimStore(clock);
    private final WorkflowCache cache = new WorkflowCache(store, 1, new Incidents());
    private Delivery start =
            Delivery.ofRow(new Message.Start(KEY, new Message.Beginning("shop", "work", "1", "begin", 0,
                    Payload.EMPTY, null)));

    @BeforeEach
    void startOne() {
        store.createShards("test", "shop", 1);
        Message.Start message = (Message.Start) start.message();
        store.start(message, Collation.inception(message, clock.instant()));
        start = store.inbox(SHARD, 1).getFirst();
    }

    private Bundle compute(WorkflowView view, Delivery delivery) {
        return Collation.transition(view, delivery, graph.behaviour(), clock.instant()).bundle();
    }

    /** As if a transaction settled after the shard was recovered, or an answer of the store came twice. */
    @Test
    void commitIsNotAppliedTwice() {
        Bundle bundle = compute(cache.view(KEY), start);
        cache.apply(bundle);

        assertThatThrownBy(() -> cache.apply(bundle)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("is at version 2 in memory, but a commit from version 1 came through");
    }

    @Test
    void commitThatSkipsAVersionIsNotApplied() {
        Overlay ahead = new Overlay(cache.view(KEY));
        Bundle first = compute(ahead, start);
        ahead.apply(first);
        Bundle second = compute(ahead, Batch.queued(first).getFirst());

        assertThatThrownBy(() -> cache.apply(second)).isInstanceOf(LedgerViolation.class);
        cache.apply(first);
        assertThatCode(() -> cache.apply(second)).doesNotThrowAnyException();
    }

    @Test
    void batchIsComputedFromWhatIsKnownAndEachBundleFromTheOneBefore() {
        Overlay ahead = new Overlay(cache.view(KEY));
        Bundle first = compute(ahead, start);
        ahead.apply(first);
        Bundle second = compute(ahead, Batch.queued(first).getFirst());

        assertThatCode(() -> cache.requireComputedFrom(List.of(first, second))).doesNotThrowAnyException();
        assertThatThrownBy(() -> cache.requireComputedFrom(List.of(second))).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("a bundle was computed from version 2");
        assertThatThrownBy(() -> cache.requireComputedFrom(List.of(first, first)))
                .isInstanceOf(LedgerViolation.class);
        cache.apply(first);
        assertThatThrownBy(() -> cache.requireComputedFrom(List.of(first))).isInstanceOf(LedgerViolation.class);
        cache.clear();
        assertThat(cache.known(KEY)).isNull();
        assertThatCode(() -> cache.requireComputedFrom(List.of(second))).as("nothing is known")
                .doesNotThrowAnyException();
    }
}
