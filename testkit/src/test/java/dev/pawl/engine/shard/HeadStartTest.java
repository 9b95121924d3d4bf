package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the first flows of a new engine need is not taken by reading other shards. */
class HeadStartTest {

    private static final int SHARDS = 8;
    private static final Duration LONG_ENOUGH = Duration.ofMillis(400);
    private static final WorkflowKey FLOW = new WorkflowKey("test", "w");

    private final AtomicInteger ended = new AtomicInteger();
    private final HeadStart headStart = new HeadStart(ended::incrementAndGet);
    private final SimClock clock = new SimClock();
    private final Store simulated = new SimStore(clock);
    /** The shards whose flows were asked for. */
    private final Set<ShardId> read = new LinkedHashSet<>();
    /** One flow is awake in each shard. */
    private final Store store =
            (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                    (proxy, method, args) -> method.getName().equals("awake")
                            ? page((ShardId) args[0], (Waiting) args[1])
                            : method.invoke(simulated, args));
    private final Engine engine = new Engine("a", store, "test", "shop", List.of(), task -> {}, clock,
            EngineSettings.DEFAULT);

    private List<Waiting> page(ShardId shard, Waiting after) {
        read.add(shard);
        return after != null ? List.of()
                : List.of(new Waiting(new WorkflowKey("test", "w" + shard.number()), ActivityKey.trigger("flow"),
                        new Waker.Code(1, true)));
    }

    /** However long it has taken to read the flows, their time begins after that. */
    @Test
    void otherShardsAreReadWhenTheFirstFlowsHaveHadTheirTime() {
        engine.turn();
        assertThat(engine.shards()).hasSize(SHARDS);
        assertThat(read).hasSize(1);
        clock.advance(LONG_ENOUGH);
        engine.turn();
        assertThat(engine.turn(0, 1)).as("there is nothing to do but to wait").isFalse();
        assertThat(read).hasSize(1);
        assertThat(engine.wakeAt(0, 1)).isAfter(clock.instant());

        clock.advance(LONG_ENOUGH);
        for (int i = 0; i < SHARDS; i++) {
            engine.turn();
        }
        assertThat(read).hasSize(SHARDS);
    }

    @Test
    void endsWhenAFlowHasCommittedMoreThanItsFirstDeclaration() {
        Instant now = clock.instant();
        headStart.committed(FLOW, 1);
        headStart.read(now);
        headStart.begin(now);
        headStart.committed(FLOW, 2);
        headStart.committed(FLOW, 2);
        assertThat(headStart.holds(now)).as("more of the same commit").isTrue();

        headStart.committed(FLOW, 3);
        headStart.committed(FLOW, 4);
        assertThat(headStart.holds(now)).isFalse();
        assertThat(ended).hasValue(1);
    }

    @Test
    void comesOnceAndNotForLong() {
        Instant now = clock.instant();
        headStart.read(now);
        assertThat(headStart.holds(now.plus(LONG_ENOUGH))).as("they are still being read").isTrue();
        assertThat(headStart.holds(now.plusSeconds(2))).as("their shard was lost, perhaps").isFalse();

        headStart.begin(now);
        assertThat(headStart.holds(now)).isTrue();
        assertThat(headStart.holds(now.plus(LONG_ENOUGH))).isFalse();
        headStart.read(now.plus(LONG_ENOUGH));
        headStart.begin(now.plus(LONG_ENOUGH));
        assertThat(headStart.holds(now.plus(LONG_ENOUGH))).as("once in the life of an engine").isFalse();
    }
}
