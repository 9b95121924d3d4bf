package dev.pawl.lab.torture;

import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Outcome;
import dev.pawl.testkit.scenario.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Goes through everything a store holds and everything that was told outside of it, and says what does not fit. It may look
 * while an engine is at work. Remembers what it has looked at, so that a look after every crash stays affordable; the last look,
 * when all is finished, is at everything.
 *
 * <p>Not thread-safe.
 */
final class Inspector {

    private static final int PAGE = 500;
    private static final int ALL = 1_000_000;

    private final Path folder;
    private final Load load;
    private final Map<String, Retelling> workflows = new HashMap<>();
    private final Set<OutsideWorld.Signal> sentAgain = new HashSet<>();

    Inspector(Path folder, long seed) {
        this.folder = folder;
        this.load = new Load(seed);
    }

    /** What there was at the last look. */
    Tally tally() {
        OutsideWorld world = OutsideWorld.read(folder);
        long promises = (long) world.started.size() + world.signals.size() + world.interrupted.size()
                + world.sights.size() + world.calls.size();
        return new Tally(workflows.size(), workflows.values().stream().mapToLong(each -> each.record.version()).sum(),
                promises, world.owned.size(), Fences.unclaimed(world, workflows.values()).size());
    }

    /** One line for each violation, none if all is well. */
    List<String> violations(Store store, boolean finished) {
        if (finished) {
            workflows.clear();
            sentAgain.clear();
        }
        OutsideWorld before = OutsideWorld.read(folder);
        List<String> violations = new ArrayList<>();
        // Before the workflows: what is taken from an inbox meanwhile will be found in its workflow.
        Set<Guid> waiting = waiting(store);
        read(store, violations);
        Promises promises = new Promises(store, load, workflows, waiting);
        promises.kept(before, sentAgain::add);
        OutsideWorld after = OutsideWorld.read(folder);
        promises.earned(after);
        violations.addAll(promises.violations());
        violations.addAll(Fences.violations(after));
        store.givenUp(Scenario.NAMESPACE, null, PAGE).items()
                .forEach(message -> violations.add("P8 given up: " + message.delivery()));
        if (finished && violations.isEmpty()) {
            finished(store, before, violations);
        }
        return violations;
    }

    /** After the last look at a place where no answer was lost: versions of which nobody was told. */
    List<String> unclaimed() {
        OutsideWorld world = OutsideWorld.read(folder);
        return world.notes.contains(WatchedStore.COMMIT_UNKNOWN) ? List.of()
                : Fences.unclaimed(world, workflows.values());
    }

    private void read(Store store, List<String> violations) {
        Set<String> listed = new HashSet<>();
        @Nullable String cursor = null;
        do {
            Page<WorkflowRecord> page = store.workflows(WorkflowQuery.all(Scenario.NAMESPACE), cursor, PAGE);
            List<WorkflowKey> changed = new ArrayList<>();
            page.items().forEach(record -> {
                String id = record.key().workflowId();
                listed.add(id);
                Retelling known = workflows.get(id);
                if (known == null || !known.record.equals(record)) {
                    changed.add(record.key());
                }
            });
            retell(store, changed, violations);
            cursor = page.next();
        } while (cursor != null);
        workflows.keySet().stream().filter(id -> !listed.contains(id))
                .forEach(id -> violations.add("lost: " + id + " was there at the last look"));
    }

    /** A row that the kernel's own types refuse is as wrong as one that contradicts another. */
    private void retell(Store store, List<WorkflowKey> changed, List<String> violations) {
        Map<WorkflowKey, Snapshot> together = together(store, changed);
        for (WorkflowKey key : changed) {
            try {
                Snapshot ahead = together.get(key);
                Retelling retelling = Retelling.of(store, ahead == null ? store.load(key) : ahead);
                workflows.put(key.workflowId(), retelling);
                violations.addAll(retelling.violations());
            } catch (LedgerViolation | IllegalArgumentException | JacksonException e) {
                violations.add("P1 " + key + " cannot be read: " + e.getMessage());
            }
        }
    }

    /** Many at once: a server may hold a hundred thousand. If one of them cannot be read, each is read by itself. */
    private static Map<WorkflowKey, Snapshot> together(Store store, List<WorkflowKey> changed) {
        try {
            return changed.isEmpty() ? Map.of() : store.loadAhead(changed);
        } catch (LedgerViolation | IllegalArgumentException e) {
            return Map.of();
        }
    }

    private static List<ShardId> shards() {
        List<ShardId> shards = new ArrayList<>();
        for (int number = 0; number < TortureEngine.SHARDS; number++) {
            shards.add(new ShardId(Scenario.NAMESPACE, Scenario.GROUP, number));
        }
        return shards;
    }

    private static Set<Guid> waiting(Store store) {
        Set<Guid> guids = new HashSet<>();
        shards().stream().flatMap(shard -> store.inbox(shard, ALL).stream()).map(Delivery::message)
                .forEach(message -> guids.add(message.guid()));
        return guids;
    }

    /** P8, and that every workflow has come to the end the oracle says. */
    private void finished(Store store, OutsideWorld world, List<String> violations) {
        for (ShardId shard : shards()) {
            store.inbox(shard, PAGE).forEach(left -> violations.add("P8 left in the inbox: " + left));
            store.queue(shard, null, PAGE).forEach(left -> violations.add("P8 left in a queue: " + left));
        }
        workflows.values().forEach(workflow -> store.waiting(workflow.record.key())
                .forEach(left -> violations.add("P8 waits left: " + left)));
        Map<Integer, List<Snapshot>> byScenario = new TreeMap<>();
        world.begun.forEach(number -> byScenario.put(number, new ArrayList<>()));
        workflows.forEach((id, workflow) -> byScenario.computeIfAbsent(Load.number(id), first -> new ArrayList<>())
                .add(workflow.snapshot));
        byScenario.forEach((number, snapshots) -> load.scenario(number).differences(Outcome.of(snapshots, null))
                .forEach(difference -> violations.add("P8 scenario " + number + " " + difference)));
    }
}
