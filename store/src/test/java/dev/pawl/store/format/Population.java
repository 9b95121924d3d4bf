package dev.pawl.store.format;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.testkit.scenario.Text;
import dev.pawl.testkit.sim.Fault;
import dev.pawl.testkit.sim.Faults;
import dev.pawl.testkit.sim.Operation;
import dev.pawl.testkit.sim.SimCrash;
import dev.pawl.testkit.sim.SimLink;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Workflows in every state there is, and a row at least in every table: what a database looks like in the middle of its life. */
final class Population {

    /** Its definition always throws: it stays as it is, and what was tried for it was given up. */
    static final String POISONED = "poisoned";

    /** Slots are held by the clock of the database, whenever what is written here is read. */
    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private Population() {
    }

    static void settle(Store store) {
        Bench bench = new Bench("the writer", store);
        bench.run();
        poisoned(bench, store);
        ended(bench);
        waiting(bench);
        bench.engine.drain();
        effects(bench, store);
        cut(bench, store);
        unread(bench, store);
        store.decide(new DecisionRequest(new DecisionRecord(Bench.key("charging"), "case", "abort", "somebody", "",
                bench.clock.instant(), Text.of("{}")), new DecisionRequest.Ended(Bench.GROUP, null, null)));
        store.renewAll(Bench.NAMESPACE, Bench.GROUP, "the writer", Duration.ofDays(1), true);
        store.acquireSlots(Bench.NAMESPACE, "the writer",
                List.of(new SlotPool("gateway", SlotPool.Kind.CONCURRENT, 5, FOR_EVER),
                        new SlotPool("gateway", SlotPool.Kind.RATE, 100, FOR_EVER)),
                List.of(new SlotHolder("charging/pay/1@the writer#1", "a customer")));
    }

    private static void ended(Bench bench) {
        bench.start("checkout", "completed");
        bench.work("completed");
        bench.signal("completed", "s-1");
        bench.start("fan", "joined");
        bench.work("joined");
        bench.start("loop", "looped");
        for (int round = 0; round < 3; round++) {
            bench.work("looped");
        }
        bench.start("failing", "failed");
        bench.work("failed");
        bench.start("checkout", "interrupted");
        bench.interrupt("interrupted");
        bench.pass(Duration.ofHours(2));
    }

    private static void waiting(Bench bench) {
        bench.start("checkout", "charging");
        bench.start("checkout", "early");
        bench.signal("early", "s-1");
        bench.start("checkout", "approving");
        bench.work("approving");
        bench.start("checkout", "sleeping");
        bench.work("sleeping");
        bench.signal("sleeping", "s-1");
        bench.start("fan", "half-joined");
        bench.work(task -> task.queue().equals("left"));
        bench.start("loop", "looping");
        bench.work("looping");
        bench.start("parent", "parent");
    }

    /** As the code of a flow would leave them: effects of every status, attributes of every type. */
    private static void effects(Bench bench, Store store) {
        WorkflowKey key = Bench.key("charging");
        ShardId shard = ShardId.of(key, Bench.GROUP, store.leases(Bench.NAMESPACE, Bench.GROUP).size());
        Fence fence = ((Claim.Claimed) store.claim(shard, "the hand", Duration.ofDays(1), EngineSettings.FORMAT))
                .fence();
        Instant now = bench.clock.instant();
        Effect paid = Effect.declared(new Effect.Key("pay", "pay", "order:1")).completed(Text.of("paid"));
        Effect shipped = Effect.declared(new Effect.Key("ship", "ship", "order:1"));
        Effect refused = Effect.declared(new Effect.Key("reserve", "reserve", "order:1"))
                .after(EffectStatus.FAILED, Text.of("sold out"));
        Effect late = Effect.declared(new Effect.Key("label", "label", "order:1"))
                .after(EffectStatus.TIMED_OUT, Text.of("no answer"));
        Effect stopped = Effect.declared(new Effect.Key("wrap", "wrap", "order:1"))
                .after(EffectStatus.CANCELLED, Text.of("enough"));
        store.commit(fence, List.of(Bundle.sealed(key, store.load(key),
                new Occasion("handmade", Guid.ofStart(key), now),
                List.of(Bundle.Part.of(Step.WORK, new Write.PutEffect(EffectRecord.of(key, paid, now)),
                        new Write.PutEffect(EffectRecord.of(key, shipped, now)),
                        new Write.PutEffect(EffectRecord.of(key, refused, now)),
                        new Write.PutEffect(EffectRecord.of(key, late, now)),
                        new Write.PutEffect(EffectRecord.of(key, stopped, now)),
                        new Write.PutAttribute(new Attribute.Text("customer", "c-1"), now),
                        new Write.PutAttribute(new Attribute.Whole("total", 4200), now),
                        new Write.PutAttribute(new Attribute.Flag("gift", true), now),
                        new Write.PutAttribute(new Attribute.Time("promised", now.plus(Duration.ofDays(3))), now),
                        new Write.PutAttribute(new Attribute.Memo("note", Text.of("\"fragile\"")), now))))));
        store.release(fence);
    }

    private static void poisoned(Bench bench, Store store) {
        Message.Start start = start(POISONED, "unknown");
        store.start(start, Collation.inception(start, bench.clock.instant()));
        while (store.givenUp(Bench.NAMESPACE, null, 1).items().isEmpty()) {
            bench.pass(Duration.ofSeconds(1));
        }
    }

    /** An engine that commits every step by itself, and dies after some: messages stay in the queue. */
    private static void cut(Bench before, Store store) {
        SimLink link = new SimLink(store, fence -> {}, Faults.once(Operation.COMMIT, 4, Fault.CRASH_AFTER));
        Bench dying = new Bench("the one that died", link.store(), true);
        dying.clock.set(before.clock.instant());
        Message.Start start = start("cut", "fan");
        store.start(start, Collation.inception(start, before.clock.instant()));
        try {
            dying.run();
            throw new IllegalStateException("it should have died");
        } catch (SimCrash crash) {
            // As planned: its leases stand, its messages lie where they were.
        }
    }

    private static void unread(Bench bench, Store store) {
        Message.Start start = start("unread", "fan");
        store.start(start, Collation.inception(start, bench.clock.instant()));
        store.signal(bench.request("approving", "s-1"));
    }

    private static Message.Start start(String id, String definition) {
        return new Message.Start(Bench.key(id),
                new Message.Beginning(Bench.GROUP, definition, "1", "begin", 0, Text.of("order of " + id), null));
    }
}
