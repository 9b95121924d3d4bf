package dev.pawl.testkit.sim;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The rows of one workflow. Ordered maps throughout: the order of everything must depend on the seed alone. */
final class SimWorkflow {

    final ShardId shard;
    final NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
    final NavigableMap<Guid, GuidRecord> guids = new TreeMap<>();
    final NavigableMap<ActivityKey, Gate> joins = new TreeMap<>();
    final NavigableMap<Long, Delivery> queue = new TreeMap<>();
    final List<Message.Signal> signals = new ArrayList<>();
    final NavigableMap<String, EffectRecord> effects = new TreeMap<>();
    final NavigableMap<Attribute.Key, Attribute> attributes = new TreeMap<>();
    final List<JournalEntry> journal = new ArrayList<>();
    WorkflowRecord row;

    SimWorkflow(ShardId shard, WorkflowRecord row) {
        this.shard = shard;
        this.row = row;
    }

    SimWorkflow copy() {
        SimWorkflow copy = new SimWorkflow(shard, row);
        copy.activities.putAll(activities);
        copy.guids.putAll(guids);
        copy.joins.putAll(joins);
        copy.queue.putAll(queue);
        copy.signals.addAll(signals);
        copy.effects.putAll(effects);
        copy.attributes.putAll(attributes);
        copy.journal.addAll(journal);
        return copy;
    }

    Snapshot snapshot() {
        return new Snapshot(row, new TreeMap<>(activities), new TreeMap<>(guids), new TreeMap<>(joins),
                List.copyOf(signals));
    }

    boolean open() {
        return !row.gate().closed();
    }
}
