package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.scenario.Effect;
import dev.pawl.testkit.sim.SimObserver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Watches every commit as it becomes durable, with books of its own: what the store believes is exactly what is in doubt.
 * P2, P3, P4 and P5 are broken in passing or not at all; what only shows at the end is checked by {@link Invariants}.
 */
public final class SimMonitor implements SimObserver {

    private final List<String> violations = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Map<ShardId, Long> epochs = new HashMap<>();
    private final Map<WorkflowKey, Long> versions = new HashMap<>();
    private final Map<Place, ActivityLedger> ledgers = new HashMap<>();
    private final Map<Place, Guid> finishedBy = new HashMap<>();
    private final Set<String> sent = new HashSet<>();
    private final Map<WorkflowKey, Integer> closings = new HashMap<>();
    private final Map<Guid, Instant> timers = new HashMap<>();
    private final Set<Guid> seen = new HashSet<>();
    private Instant now = Instant.MIN;
    private long commits;

    private record Place(WorkflowKey workflow, ActivityKey activity) {
    }

    public List<String> violations() {
        return violations;
    }

    /** What the workflows have sent to one another. */
    public List<Effect> effects() {
        return effects;
    }

    /** Something the world has seen for itself. */
    void report(String violation) {
        violations.add(violation);
    }

    public long commits() {
        return commits;
    }

    /** What the clock of the engine that is at work says. */
    public void clock(Instant instant) {
        now = instant;
    }

    /** An owner has raised its epoch, or a shard was claimed: nothing older may come through from here on. */
    public void raised(Fence fence) {
        epochs.merge(fence.shard(), fence.epoch(), Math::max);
    }

    @Override
    public void committed(Fence fence, long epoch, List<Bundle> bundles) {
        commits++;
        long latest = Math.max(epoch, epochs.getOrDefault(fence.shard(), 0L));
        check(fence.epoch() == latest,
                () -> "P5 a commit of %s was accepted in epoch %d".formatted(fence, latest));
        bundles.forEach(this::bundle);
    }

    private void bundle(Bundle bundle) {
        WorkflowKey key = bundle.workflow();
        if (!bundle.inboxOnly()) {
            long version = versions.getOrDefault(key, bundle.expectedVersion());
            check(version == bundle.expectedVersion(),
                    () -> "P2 a bundle computed from version %d of %s was applied to %d".formatted(
                            bundle.expectedVersion(), key, version));
            versions.put(key, version + 1);
        }
        bundle.writes().forEach(write -> write(key, write));
    }

    private void write(WorkflowKey key, Write write) {
        switch (write) {
            case Write.PutActivity put -> activity(key, put.activity());
            case Write.PutGuid put -> guid(key, put.guid());
            case Write.Enqueue enqueue -> {
                // A timer or an answer may be lodged twice, and is then a duplicate; a child must be sent only once.
                if (!(enqueue.message() instanceof Message.Respond)) {
                    once("P2 message queued twice", key + " " + enqueue.message().guid());
                }
            }
            case Write.Post post -> {
                effects.add(Effect.of(key, post.message()));
                once("P2 message posted twice", post.message().workflow() + " " + source(post.message()));
            }
            case Write.CloseWorkflow close ->
                check(closings.merge(key, 1, Integer::sum) == 1,
                        () -> "P4 %s was closed twice".formatted(key));
            default -> {}
        }
    }

    /** All starts of one id have one GUID; what tells them apart is who waits for the answer. */
    private static Object source(Message message) {
        return message instanceof Message.Start start && start.beginning().origin() != null
                ? start.beginning().origin().answer()
                : message.guid();
    }

    private void activity(WorkflowKey key, ActivityRecord activity) {
        Place place = new Place(key, activity.key());
        ActivityLedger before = ledgers.put(place, activity.ledger());
        check(before == null || activity.ledger().follows(before),
                () -> "P3 %s of %s went from %s to %s".formatted(activity.key(), key,
                        before, activity.ledger()));
        if (activity.waker() instanceof Waker.Timer timer) {
            timers.put(Guid.ofTimer(key, activity.key(), timer.dueAt().toEpochMilli()), timer.dueAt());
        }
    }

    /** At most one message of an activity may take it over the line between open and finalized. */
    private void guid(WorkflowKey key, GuidRecord guid) {
        Instant dueAt = timers.get(guid.guid());
        if (seen.add(guid.guid()) && dueAt != null) {
            check(!now.isBefore(dueAt),
                    () -> "P7 a timer of %s due at %s fired at %s".formatted(key, dueAt, now));
        }
        if (guid.ledger().childrenSpawned() && !guid.ledger().completionDone()) {
            once("P2 children spawned twice", key + " " + guid.guid());
            ActivityLedger base = ledgers.get(new Place(key, guid.activity()));
            Guid finisher = finishedBy.get(new Place(key, guid.activity()));
            check(base == null || !base.finalized() || finisher == null || finisher.equals(guid.guid()),
                    () -> "P2 %s of %s took a message after its last one".formatted(guid.activity(), key));
            finishedBy.put(new Place(key, guid.activity()), guid.guid());
        }
    }

    private void once(String what, String which) {
        check(sent.add(what + which),
                () -> "%s: %s".formatted(what, which));
    }

    private void check(boolean holds, Supplier<String> violation) {
        if (!holds) {
            violations.add(violation.get());
        }
    }
}
