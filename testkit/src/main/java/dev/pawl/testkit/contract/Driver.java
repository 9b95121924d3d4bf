package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Transition;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Respond;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Drives workflows through the port by hand: the kernel computes, the store commits, nothing in between. */
final class Driver {

    static final int SHARDS = 4;

    final ShardId shard;
    final Sketch sketch;
    Fence fence;
    Instant now = ContractWorld.NOW;

    private final Supplier<Store> world;

    private Driver(Supplier<Store> world, ShardId shard, Fence fence, Sketch sketch) {
        this.world = world;
        this.shard = shard;
        this.fence = fence;
        this.sketch = sketch;
    }

    /** The owner of the first shard of the contract's group, with a lease that outlasts the test. */
    static Driver on(Supplier<Store> world, Sketch sketch) {
        world.get().createShards(ContractWorld.NAMESPACE, ContractWorld.GROUP, SHARDS);
        ShardId shard = new ShardId(ContractWorld.NAMESPACE, ContractWorld.GROUP, 0);
        return new Driver(world, shard, claim(world.get(), shard), sketch);
    }

    static Fence claim(Store store, ShardId shard) {
        Claim claim = store.claim(shard, "driver", Duration.ofMinutes(10), 1);
        assertThat(claim).isInstanceOf(Claim.Claimed.class);
        return ((Claim.Claimed) claim).fence();
    }

    /** The n-th workflow key, from 0 on, that lives in a shard. */
    static WorkflowKey keyIn(ShardId shard, int n) {
        int found = 0;
        for (int i = 0;; i++) {
            WorkflowKey key = new WorkflowKey(shard.namespace(), "w" + i);
            if (ShardId.of(key, shard.group(), SHARDS).equals(shard) && found++ == n) {
                return key;
            }
        }
    }

    WorkflowKey key(int n) {
        return keyIn(shard, n);
    }

    static Message.Start start(WorkflowKey key) {
        return start(key, "checkout");
    }

    static Message.Start start(WorkflowKey key, String definition) {
        return new Message.Start(key, new Message.Beginning(ContractWorld.GROUP, definition, "1", Sketch.TRIGGER, 0,
                Sketch.text("order"), null));
    }

    static ActivityKey child(String activity) {
        return new ActivityKey(activity, new DimensionalAddress(",0,0"));
    }

    static Respond answer(WorkflowKey key, String activity) {
        return Respond.answer(key, child(activity), 1, new Response.Final(Sketch.text("done")));
    }

    /** The n-th workflow, started and with every message run. */
    WorkflowKey running(int n) {
        WorkflowKey key = key(n);
        run(start(key));
        drain(key);
        return key;
    }

    Transition compute(Message message) {
        return compute(Delivery.ofRow(message));
    }

    Transition compute(Delivery delivery) {
        return Collation.transition(world.get().load(delivery.message().workflow()), delivery, sketch, now);
    }

    Commit.Applied run(Message message) {
        return run(Delivery.ofRow(message));
    }

    Commit.Applied run(Delivery delivery) {
        return commit(compute(delivery).bundle()).getFirst();
    }

    /** Commits, and expects that to succeed. */
    List<Commit.Applied> commit(Bundle... bundles) {
        Commit commit = world.get().commit(fence, List.of(bundles));
        assertThat(commit).isInstanceOf(Commit.Committed.class);
        return ((Commit.Committed) commit).outcomes();
    }

    /** The bundles of several messages of one workflow, computed before the first of them is committed. */
    Bundle[] batch(Message... messages) {
        Overlay overlay = new Overlay(world.get().load(messages[0].workflow()));
        List<Bundle> bundles = new ArrayList<>();
        for (Message message : messages) {
            Bundle bundle = Collation.transition(overlay, Delivery.ofRow(message), sketch, now).bundle();
            overlay.apply(bundle);
            bundles.add(bundle);
        }
        return bundles.toArray(Bundle[]::new);
    }

    /** A bundle made by hand, at the workflow's present version. */
    Bundle handmade(WorkflowKey key, Write... writes) {
        return Bundle.sealed(key, world.get().load(key), new Occasion("handmade", Guid.ofStart(key), now),
                List.of(Part.of(Step.WORK, writes)));
    }

    void drain(WorkflowKey key) {
        for (Delivery next = next(key); next != null; next = next(key)) {
            run(next);
        }
    }

    private @org.jspecify.annotations.Nullable Delivery next(WorkflowKey key) {
        return queue().stream().filter(delivery -> delivery.message().workflow().equals(key)).findFirst().orElse(null);
    }

    List<Delivery> queue() {
        return world.get().queue(shard, null, 1_000);
    }

    List<Delivery> inbox() {
        return world.get().inbox(shard, 1_000);
    }
}
