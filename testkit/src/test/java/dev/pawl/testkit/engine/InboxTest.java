package dev.pawl.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.shard.Engine;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.sim.Faults;
import dev.pawl.testkit.sim.Operation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An inbox is read when somebody says so, and now and then all the same; never in a storm. */
class InboxTest {

    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT.withShards(1);
    private static final ShardId SHARD = new ShardId(Cluster.NAMESPACE, Cluster.GROUP, 0);

    private final Graph graph = Graph.named("order", "1").trigger("begin").build();
    private final Cluster cluster = new Cluster(SETTINGS, task -> {}, graph);
    private final List<Store.Listener> listeners = new ArrayList<>();

    private Engine engine() {
        Engine engine = cluster.join("a", this::listenable, Faults.none());
        cluster.work();
        return engine;
    }

    /** A store that lets the test say when it has heard of something. */
    private Store listenable(Store store) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, args);
                    }
                    if (method.getName().equals("listen")) {
                        listeners.add((Store.Listener) args[0]);
                        return null;
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private long completed() {
        return cluster.store.all().stream().filter(workflow -> workflow.status() == WorkflowStatus.COMPLETED).count();
    }

    @Test
    void quietInboxIsReadOnceInAWhile() {
        engine();
        long before = cluster.calls(Operation.INBOX);
        cluster.pass(Duration.ofSeconds(30));

        assertThat(cluster.calls(Operation.INBOX) - before).isBetween(29L, 31L);
    }

    @Test
    void hintIsFollowedAtOnce() {
        Engine engine = engine();
        engine.start("order", "1", "o", Payload.EMPTY);
        cluster.work();
        assertThat(completed()).as("nobody has said anything").isZero();

        assertThat(listeners).hasSize(1);
        listeners.getFirst().posted(new ShardId(Cluster.NAMESPACE, "other", 0));
        cluster.work();
        assertThat(completed()).as("a hint for somebody else").isZero();

        listeners.getFirst().posted(SHARD);
        cluster.work();
        assertThat(completed()).isOne();
    }

    @Test
    void lostHintCostsOneInterval() {
        Engine engine = engine();
        engine.start("order", "1", "o", Payload.EMPTY);
        cluster.pass(SETTINGS.lookEvery());

        assertThat(completed()).isOne();
    }

    @Test
    void hintWakesTheLaneOfItsShard() {
        Engine engine = engine();
        List<ShardId> woken = new ArrayList<>();
        engine.wakeBy(woken::add);
        listeners.getFirst().posted(SHARD);
        listeners.getFirst().posted(new ShardId(Cluster.NAMESPACE, "other", 0));

        assertThat(woken).containsExactly(SHARD);
    }

    @Test
    void inboxLargerThanAPageIsReadToItsEndWithoutWaiting() {
        Engine engine = engine();
        for (int i = 0; i < 2_500; i++) {
            engine.start("order", "1", "o-" + i, Payload.EMPTY);
        }
        listeners.getFirst().posted(SHARD);
        long before = cluster.calls(Operation.INBOX);
        cluster.work();

        assertThat(completed()).isEqualTo(2_500);
        assertThat(cluster.calls(Operation.INBOX) - before).isLessThanOrEqualTo(5);
    }
}
