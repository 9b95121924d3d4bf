package dev.pawl.store.postgres;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A group with a few shards and a definition whose workflows hand out two tasks and close with the second answer. */
final class Shop implements Behaviour {

    static final String NAMESPACE = "shop";
    static final String GROUP = "orders";
    static final int SHARDS = 4;
    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    static final ActivityKey FIRST = new ActivityKey("first", new DimensionalAddress(",0,0"));
    static final ActivityKey SECOND = new ActivityKey("second", new DimensionalAddress(",0,0"));

    final Store store;

    Shop(Store store) {
        this.store = store;
        store.createShards(NAMESPACE, GROUP, SHARDS);
    }

    static ShardId shard(int number) {
        return new ShardId(NAMESPACE, GROUP, number);
    }

    Fence claim(int shard) {
        return ((Claim.Claimed) store.claim(shard(shard), "test", Duration.ofMinutes(10), 1)).fence();
    }

    /** A workflow id that lives in a shard; another one for each n. */
    static WorkflowKey key(int shard, int n) {
        return Stream.iterate(0, i -> i + 1).map(i -> new WorkflowKey(NAMESPACE, "order-" + i))
                .filter(key -> ShardId.of(key, GROUP, SHARDS).number() == shard).skip(n).findFirst().orElseThrow();
    }

    static Message.Start start(WorkflowKey key) {
        return new Message.Start(key,
                new Message.Beginning(GROUP, "order", "1", "trigger", 0, text("an order"), null));
    }

    static Message.Respond answer(WorkflowKey key, ActivityKey activity) {
        return Message.Respond.answer(key, activity, 1, new Response.Final(text("done")));
    }

    static Payload text(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    Bundle compute(Message message) {
        return compute(Delivery.ofRow(message));
    }

    Bundle compute(Delivery delivery) {
        return Collation.transition(store.load(delivery.message().workflow()), delivery, this, NOW).bundle();
    }

    /** A workflow that has handed out both tasks. */
    WorkflowKey running(Fence fence, int n) {
        WorkflowKey key = key(fence.shard().number(), n);
        store.commit(fence, List.of(compute(start(key))));
        store.queue(fence.shard(), null, 100).stream().filter(delivery -> delivery.message().workflow().equals(key))
                .forEach(delivery -> store.commit(fence, List.of(compute(delivery))));
        return key;
    }

    /** A bundle made by hand, at the workflow's present version. */
    Bundle handmade(WorkflowKey key, Write... writes) {
        return Bundle.sealed(key, store.load(key), new Occasion("handmade", Guid.ofStart(key), NOW),
                List.of(Bundle.Part.of(Step.WORK, writes)));
    }

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        return new Request.Task("queue", text("task"), NOW.plusSeconds(300));
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        boolean trigger = activity.key().activity().equals("trigger");
        return new Next.Spawn(trigger ? List.of(child(FIRST), child(SECOND)) : List.of());
    }

    private static Next.Child child(ActivityKey key) {
        return new Next.Child(key.activity(), new Request.Task("queue", text("task"), NOW).type(), text("input"), null);
    }

    @Override
    public Payload result(WorkflowView view) {
        return text("result");
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        return response.payload();
    }

    @Override
    public @Nullable ActivityKey heeds(String topic) {
        return null;
    }

    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        return null;
    }
}
