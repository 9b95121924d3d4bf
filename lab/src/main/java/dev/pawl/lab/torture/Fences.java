package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
}
