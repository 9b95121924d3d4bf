package dev.pawl.lab.bench;

import dev.pawl.engine.world.Chance;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;

/**
 * The bundles of one shard, computed before any clock starts: a thousand stories at a time, the next one picked at random, a new
 * one for each that ends. Committed in this order to an empty store, every one of them fits.
 */
record Recording(String group, List<Bundle> bundles) {

    static final int BATCH_MAX = 1_000;

    private static final int ACTIVE = 1_000;
    private static final int ROWS_SAMPLED = 10_000;

    static Recording of(Workload workload, String group, int transitions, int payloadBytes, Runnable progress) {
        RandomGenerator random = Chance.ofSeed(group.hashCode());
        AtomicLong inboxIds = new AtomicLong();
        LongFunction<Story> stories = workload.stories(
                new Workload.Scene(group, payloadBytes, random, inboxIds::incrementAndGet));
        List<Bundle> bundles = new ArrayList<>(transitions);
        List<Story> active = new ArrayList<>();
        long begun = 0;
        while (bundles.size() < transitions) {
            while (active.size() < ACTIVE) {
                active.add(stories.apply(begun++));
            }
            int index = random.nextInt(active.size());
            Story story = active.get(index);
            if (story.over()) {
                active.set(index, active.getLast());
                active.removeLast();
            } else if (story.ready(bundles.size())) {
                bundles.add(story.next(bundles.size()));
                progress.run();
            }
        }
        return new Recording(group, List.copyOf(bundles));
    }

    /** The bundles in batches of one size; what is left over at the end is left out. */
    List<List<Bundle>> batches(int size) {
        List<List<Bundle>> batches = new ArrayList<>();
        for (int from = 0; from + size <= bundles.size(); from += size) {
            batches.add(bundles.subList(from, from + size));
        }
        return batches;
    }

    /** What a transition comes to when nothing but its content is written. */
    int bytesPerTransition() {
        return (int) (bundles.stream().mapToLong(Content::bytes).sum() / bundles.size());
    }

    /** How many rows the stores insert, replace or delete for a transition, after they have coalesced a batch. */
    double rowsPerTransition(int batch) {
        long rows = 0;
        long transitions = 0;
        for (List<Bundle> each : batches(batch)) {
            rows += rows(new Plan(each));
            transitions += batch;
            if (transitions >= ROWS_SAMPLED) {
                break;
            }
        }
        return rows / (double) transitions;
    }

    static long rows(Plan plan) {
        long rows = (long) plan.posts().size() + plan.takenFromInbox().size() + plan.chargedInInbox().size();
        for (WorkflowPlan workflow : plan.workflows()) {
            rows += (workflow.created != null || workflow.changesRow() ? 1L : 0L) + workflow.events.size()
                    + workflow.opened().size() + workflow.ended().size()
                    + (workflow.closes() && workflow.created == null ? 1L : 0L) + workflow.joins.size()
                    + workflow.queued.size() + workflow.acknowledged.size() + workflow.accepted.size()
                    + workflow.effects.size() + workflow.attributes.size();
        }
        return rows;
    }
}
