package dev.pawl.testkit.sim;

import dev.pawl.engine.store.AcceptedSignal;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.workflow.EffectRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What the simulated disk holds. */
final class SimTables {

    final NavigableMap<ShardId, SimShard> shards = new TreeMap<>();
    final NavigableMap<WorkflowKey, SimWorkflow> workflows = new TreeMap<>();
    final NavigableMap<Long, InboxRow> inbox = new TreeMap<>();
    final NavigableMap<String, Acceptance> acceptances = new TreeMap<>();
    /** The leases of engines, by namespace, group and engine. */
    final NavigableMap<String, EngineRow> engines = new TreeMap<>();
    final List<GivenUp> givenUp = new ArrayList<>();
    /** Of workflows that are gone: only a flaw puts something here. */
    final NavigableMap<WorkflowKey, Map<String, EffectRecord>> leftEffects = new TreeMap<>();
    final NavigableMap<WorkflowKey, Map<Attribute.Key, Attribute>> leftAttributes = new TreeMap<>();
    /** By workflow and case, in the order they were made. */
    final Map<String, DecisionRecord> decisions = new LinkedHashMap<>();
    /** By namespace, and then by pool. */
    final NavigableMap<String, SlotPool> pools = new TreeMap<>();
    /** Which process is next in a pool, and until when. */
    final NavigableMap<String, NextProcess> nextProcesses = new TreeMap<>();
    /** By namespace, pool and holder. */
    final NavigableMap<String, SlotRow> slots = new TreeMap<>();
    long nextInboxId = 1;
    long nextGivenUpId = 1;

    /** {@code since} is when its lease began that has not run out since then. */
    record EngineRow(String place, String owner, Instant since, Instant expiresAt, Duration ttl, boolean shares) {
    }

    record InboxRow(ShardId shard, Delivery delivery) {
    }

    record NextProcess(String name, Instant until) {
    }

    record SlotRow(String namespace, HeldSlot slot) {
    }

    record Acceptance(AcceptedSignal signal, Instant expiresAt) {
    }

    int shardCount(String namespace, String group) {
        return (int) shards.keySet().stream()
                .filter(shard -> shard.namespace().equals(namespace) && shard.group().equals(group))
                .count();
    }
}
