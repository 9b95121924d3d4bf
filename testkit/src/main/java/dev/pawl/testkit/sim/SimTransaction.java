package dev.pawl.testkit.sim;

import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.testkit.sim.SimTables.Acceptance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction: works on copies, and shows nothing to anybody until it is installed. */
final class SimTransaction {

    private final SimTables tables;
    private final NavigableMap<WorkflowKey, SimWorkflow> touched = new TreeMap<>();
    private final NavigableMap<Long, Delivery> charged = new TreeMap<>();
    private final List<Long> removed = new ArrayList<>();
    private final List<SimTables.InboxRow> posted = new ArrayList<>();
    private final List<GivenUp> givenUp = new ArrayList<>();
    private final NavigableMap<String, Acceptance> accepted = new TreeMap<>();

    SimTransaction(SimTables tables) {
        this.tables = tables;
    }

    @Nullable SimWorkflow workflow(WorkflowKey key) {
        SimWorkflow own = touched.get(key);
        if (own != null) {
            return own;
        }
        SimWorkflow stored = tables.workflows.get(key);
        if (stored == null) {
            return null;
        }
        SimWorkflow copy = stored.copy();
        touched.put(key, copy);
        return copy;
    }

    /** Where a workflow that is still to be created must live; null if the bundle creates none. */
    @Nullable ShardId home(Bundle bundle) {
        return bundle.writes().stream()
                .filter(Write.CreateWorkflow.class::isInstance)
                .map(write -> ((Write.CreateWorkflow) write).workflow().beginning().group())
                .map(group -> ShardId.of(bundle.workflow(), group,
                        Math.max(1, tables.shardCount(bundle.workflow().namespace(), group))))
                .findFirst()
                .orElse(null);
    }

    void create(WorkflowKey key, SimWorkflow workflow) {
        touched.put(key, workflow);
    }

    /** What a sweep has left behind that should have taken it along. */
    Map<String, EffectRecord> leftEffects(WorkflowKey key) {
        return tables.leftEffects.getOrDefault(key, Map.of());
    }

    Map<Attribute.Key, Attribute> leftAttributes(WorkflowKey key) {
        return tables.leftAttributes.getOrDefault(key, Map.of());
    }

    /** False if the group has no shards. */
    boolean post(String group, Message message) {
        int count = tables.shardCount(message.workflow().namespace(), group);
        if (count == 0) {
            return false;
        }
        ShardId shard = ShardId.of(message.workflow(), group, count);
        posted.add(new SimTables.InboxRow(shard, Delivery.inbox(0, message)));
        return true;
    }

    SimTables tables() {
        return tables;
    }

    /** False if the signal is known. */
    boolean accept(SimSignals signals, SimWorkflow workflow, Write.Accept accept) {
        Acceptance acceptance = signals.acceptance(workflow, accept);
        if (acceptance == null || accepted.containsKey(acceptance.signal().signalStorageKey())) {
            return false;
        }
        accepted.put(acceptance.signal().signalStorageKey(), acceptance);
        return true;
    }

    /** What is accepted stays, whatever becomes of the rest; only a flaw asks for that. */
    void installAcceptances() {
        tables.acceptances.putAll(accepted);
    }

    /** A message in a shard's inbox; null if there is none of that number. */
    @Nullable Delivery inbox(ShardId shard, long id) {
        SimTables.InboxRow row = tables.inbox.get(id);
        if (row == null || !row.shard().equals(shard) || removed.contains(id)) {
            return null;
        }
        return charged.getOrDefault(id, row.delivery());
    }

    void removeInbox(ShardId shard, long id) {
        if (inbox(shard, id) != null) {
            removed.add(id);
        }
    }

    void chargeInbox(long id, Delivery delivery) {
        charged.put(id, delivery);
    }

    void giveUp(GivenUp message) {
        givenUp.add(message);
    }

    void reversePosts() {
        java.util.Collections.reverse(posted);
    }

    /** The moment it becomes durable and visible. */
    void install() {
        installAcceptances();
        tables.workflows.putAll(touched);
        charged.forEach((id, delivery) -> tables.inbox.computeIfPresent(id,
                (same, row) -> new SimTables.InboxRow(row.shard(), delivery)));
        removed.forEach(tables.inbox::remove);
        for (SimTables.InboxRow row : posted) {
            long id = tables.nextInboxId++;
            tables.inbox.put(id, new SimTables.InboxRow(row.shard(), Delivery.inbox(id, row.delivery().message())));
        }
        for (GivenUp message : givenUp) {
            tables.givenUp.add(new GivenUp(tables.nextGivenUpId++, message.shard(), message.delivery(),
                    message.reason()));
        }
    }
}
