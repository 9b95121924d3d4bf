package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new owner begins flows page by page, and not more of them at a time than make progress. */
class AwakeFlowsTest {

    private static final int FLOWS = 1_000;
    private static final ShardId SHARD = new ShardId("test", "shop", 0);

    private final SimClock clock = new SimClock();
    private final Store simulated = new SimStore(clock);
    /** Lists flows that are awake; everything else is the simulated store, in which they are not. */
    private final Store store =
            (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                    (proxy, method, args) -> method.getName().equals("awake")
                            ? page((Waiting) args[1], (int) args[2])
                            : method.invoke(simulated, args));
    private final List<Waiting> all = IntStream.range(0, FLOWS).mapToObj(i -> new Waiting(
            new WorkflowKey("test", "w%04d".formatted(i)), ActivityKey.trigger("flow"), new Waker.Code(1, true)))
            .toList();
    private final List<Waiting> listed = new ArrayList<>();
    private final WorkflowCache cache = new WorkflowCache(store, 1, new Incidents());
    private final HeadStart headStart = new HeadStart(() -> {});
    private final AwakeFlows awake =
            new AwakeFlows(store, SHARD, cache, new FlowTable(SHARD, cache, FlowHost.NONE,
                    new MissingDefinitions(new Definitions(List.of()), cache, new Incidents())), headStart);

    private List<Waiting> page(Waiting after, int limit) {
        int from = after == null ? 0 : all.indexOf(after) + 1;
        List<Waiting> page = all.subList(from, Math.min(FLOWS, from + limit));
        listed.addAll(page);
        return page;
    }

    @BeforeEach
    void createShards() {
        simulated.createShards("test", "shop", 1);
    }

    private void progress(int flows) {
        listed.subList(0, flows).forEach(each -> awake.committed(each.workflow()));
    }

    @Test
    void firstPageIsSmallAndTheNextOneWaitsForProgress() {
        Instant now = clock.instant();
        assertThat(awake.next()).isEqualTo(Instant.EPOCH);
        assertThat(awake.begin(now)).isTrue();
        assertThat(listed).hasSize(10);

        assertThat(awake.begin(now)).isFalse();
        progress(4);
        assertThat(awake.begin(now)).as("most of them are still replaying").isFalse();
        assertThat(awake.next()).isAfter(now);
        progress(5);
        assertThat(awake.next()).isEqualTo(Instant.EPOCH);
        assertThat(awake.begin(now)).isTrue();
        assertThat(listed).hasSize(30);
    }

    /** One that asks a verifier, or waits for another process, commits nothing for a long time. */
    @Test
    void flowsWithoutProgressDoNotKeepOthersFromBeginning() {
        Instant now = clock.instant();
        int turns = 0;
        int pages = 0;
        while (awake.next() != null) {
            now = now.isBefore(awake.next()) ? awake.next() : now;
            pages += awake.begin(now) ? 1 : 0;
            turns++;
        }
        assertThat(turns).as("a turn for each page, and one in which its time begins")
                .isLessThanOrEqualTo(2 * pages + 1);
        assertThat(listed).isEqualTo(all);
        assertThat(Duration.between(clock.instant(), now)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void allBeginWhenAllMakeProgress() {
        Instant now = clock.instant();
        int most = 0;
        while (awake.next() != null) {
            int before = listed.size();
            awake.begin(now);
            most = Math.max(most, listed.size() - before);
            progress(listed.size());
        }
        assertThat(listed).isEqualTo(all);
        assertThat(most).isLessThanOrEqualTo(WorkflowCache.WORKFLOWS_MIN);
    }

    @Test
    void recoveryBeginsWithTheFirstOneAgain() {
        awake.begin(clock.instant());
        awake.reset();
        awake.begin(clock.instant());

        assertThat(listed.subList(10, 20)).isEqualTo(all.subList(0, 10));
    }
}
