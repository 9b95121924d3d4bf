package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * P5, from what the owners themselves were told: an epoch belongs to one owner, a version is committed once, and as versions
 * grow so do the epochs they were committed in. A commit of an owner that had been replaced would be out of that order.
 */
final class Fences {

    private record Epoch(int shard, long epoch) {
    }

    private Fences() {
    }

    static List<String> violations(OutsideWorld world) {
        List<String> violations = new ArrayList<>();
        Map<Epoch, String> owners = new HashMap<>();
        world.owned.forEach(owned -> {
            String before = owners.put(new Epoch(owned.shard(), owned.epoch()), owned.owner());
            if (before != null) {
                violations.add("P5 epoch " + owned.epoch() + " of shard " + owned.shard() + " was given to " + before
                        + " and to " + owned.owner());
            }
        });
        Map<String, List<OutsideWorld.Committed>> byWorkflow = new HashMap<>();
        world.commits.forEach(commit -> {
            String owner = owners.get(new Epoch(commit.shard(), commit.epoch()));
            if (!commit.owner().equals(owner)) {
                violations.add("P5 " + commit + " in an epoch of " + owner);
            }
            byWorkflow.computeIfAbsent(commit.workflowId(), first -> new ArrayList<>()).add(commit);
        });
        byWorkflow.values().forEach(commits -> inOrder(commits, violations));
        return violations;
    }

    private static void inOrder(List<OutsideWorld.Committed> commits, List<String> violations) {
        commits.sort(Comparator.comparingLong(OutsideWorld.Committed::version));
        for (int i = 1; i < commits.size(); i++) {
            OutsideWorld.Committed before = commits.get(i - 1);
            OutsideWorld.Committed after = commits.get(i);
            if (before.version() == after.version()) {
                violations.add("P5 committed twice: " + before + " and " + after);
            } else if (before.epoch() > after.epoch()) {
                violations.add("P5 committed out of order: " + before + " and then " + after);
            }
        }
    }

    /**
     * Where nobody was killed and no answer was lost, every version there is was acknowledged to exactly one owner; only the
     * first one of a workflow that a client has started is made without a fence.
     */
    static List<String> unclaimed(OutsideWorld world, Collection<Retelling> workflows) {
        Set<String> claimed = new HashSet<>();
        world.commits.forEach(commit -> claimed.add(commit.workflowId() + ":" + commit.version()));
        List<String> violations = new ArrayList<>();
        for (Retelling workflow : workflows) {
            String id = workflow.history.workflow;
            for (long version = world.started.contains(id) ? 2 : 1; version <= workflow.record.version(); version++) {
                if (!claimed.contains(id + ":" + version)) {
                    violations.add("P5 nobody was told that version " + version + " of " + id + " is his");
                }
            }
        }
        return violations;
    }
}
