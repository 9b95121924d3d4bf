package dev.pawl.engine.shard;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.Incidents.Kind;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Committed state of the workflows of an owned shard. While the shard is owned nobody else changes them, so what was once
 * loaded stays true as long as every committed bundle is applied to it. Not thread-safe; owned by one shard loop.
 */
final class WorkflowCache {

    /** Of all shards together, and of one: enough for the workflows in motion; sleeping ones are loaded when they wake. */
    private static final int WORKFLOWS_MAX = 8_000;
    static final int WORKFLOWS_MIN = 100;

    private final Store store;
    private final Incidents incidents;
    private final int workflowsMax;
    private final Map<WorkflowKey, Overlay> committed = new LinkedHashMap<>(16, 0.75f, true);

    WorkflowCache(Store store, int shards, Incidents incidents) {
        this.store = store;
        this.incidents = incidents;
        this.workflowsMax = Math.max(WORKFLOWS_MIN, WORKFLOWS_MAX / shards);
    }

    /** Throws {@link UnreadableRecord} if what is stored of it was changed. */
    WorkflowView view(WorkflowKey key) {
        Overlay known = committed.get(key);
        return known != null ? known : remember(key, load(key));
    }

    private Snapshot load(WorkflowKey key) {
        try {
            Snapshot loaded = store.load(key);
            incidents.ends(Kind.RECORD_UNREADABLE, key.toString(), "the record of " + key + " can be read again");
            return loaded;
        } catch (LedgerViolation e) {
            UnreadableRecord unreadable = new UnreadableRecord(key, e);
            incidents.begins(Kind.RECORD_UNREADABLE, key.toString(), Level.ERROR, unreadable.getMessage()
                    + ". This workflow stands still; the others go on. pawl.check(\"" + key.workflowId()
                    + "\") shows what was changed: restore it from a backup, or start the workflow anew under another id");
            throw unreadable;
        }
    }

    /** Reads those that nothing is known of, in one go, if the store does that; the others are left out. */
    Map<WorkflowKey, WorkflowView> read(Collection<WorkflowKey> keys) {
        List<WorkflowKey> unknown = keys.stream().filter(key -> !committed.containsKey(key)).distinct().toList();
        if (unknown.size() < 2) {
            return Map.of();
        }
        Map<WorkflowKey, WorkflowView> read = new LinkedHashMap<>();
        try {
            store.loadAhead(unknown).forEach((key, snapshot) -> read.put(key, remember(key, snapshot)));
        } catch (LedgerViolation e) {
            // One of them cannot be read; each is loaded by itself, and only that one stands still.
            return Map.of();
        }
        return read;
    }

    private Overlay remember(WorkflowKey key, Snapshot snapshot) {
        Overlay loaded = new Overlay(snapshot);
        WorkflowRecord workflow = loaded.workflow();
        // A workflow that does not exist may be started by anybody at any time, and one that is over may be swept: neither is
        // ours to remember.
        if (workflow != null && !workflow.status().terminal()) {
            committed.put(key, loaded);
            limit();
        }
        return loaded;
    }

    /** What is known of it without a look; null if nothing is. */
    @Nullable WorkflowRecord known(WorkflowKey key) {
        Overlay known = committed.get(key);
        return known == null ? null : known.workflow();
    }

    /** Which of these exist, of those that nothing is known of. */
    Set<String> existing(String namespace, Collection<String> workflowIds) {
        List<String> unknown = workflowIds.stream()
                .filter(id -> !committed.containsKey(new WorkflowKey(namespace, id))).toList();
        return unknown.isEmpty() ? Set.of() : store.existing(namespace, unknown);
    }

    void apply(Bundle bundle) {
        if (bundle.expectedVersion() == 0 && bundle.creates()) {
            // All there is of it is in the bundle.
            committed.put(bundle.workflow(), new Overlay(Snapshot.ABSENT));
        }
        Overlay known = committed.get(bundle.workflow());
        if (known != null) {
            requireVersion(known, bundle);
            known.apply(bundle);
            WorkflowRecord workflow = known.started();
            if (workflow.status().terminal()) {
                committed.remove(bundle.workflow());
            }
        }
        limit();
    }

    private void limit() {
        if (committed.size() > workflowsMax) {
            committed.remove(committed.keySet().iterator().next());
        }
    }

    /** The store has taken the bundle, so what is known here was not what is stored: nothing computed from it can be trusted. */
    private static void requireVersion(Overlay known, Bundle bundle) {
        WorkflowRecord workflow = known.workflow();
        long version = workflow == null ? 0 : workflow.version();
        if (!bundle.inboxOnly() && version != bundle.expectedVersion()) {
            throw new LedgerViolation(
                    bundle.workflow() + " is at version " + version + " in memory, but a commit from version "
                            + bundle.expectedVersion() + " came through");
        }
    }

    /**
     * What is about to be committed must have been computed from what is known here, each bundle from the one before it: the store would
     * refuse it, and it would be computed from the same mistake again.
     */
    void requireComputedFrom(List<Bundle> bundles) {
        Map<WorkflowKey, Long> versions = new HashMap<>();
        for (Bundle bundle : bundles) {
            if (bundle.inboxOnly()) {
                continue;
            }
            Long before = versions.put(bundle.workflow(), bundle.expectedVersion() + 1);
            Long version = before == null ? version(bundle.workflow()) : before;
            if (version != null && version != bundle.expectedVersion()) {
                throw new LedgerViolation(bundle.workflow() + " is at version " + version
                        + " in memory, but a bundle was computed from version " + bundle.expectedVersion());
            }
        }
    }

    private @Nullable Long version(WorkflowKey key) {
        WorkflowRecord workflow = known(key);
        return workflow == null ? null : workflow.version();
    }

    void evict(WorkflowKey key) {
        committed.remove(key);
    }

    void clear() {
        committed.clear();
    }
}
