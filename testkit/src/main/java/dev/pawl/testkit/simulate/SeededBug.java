package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.message.Delivery.Place;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.sim.Flaw;
import dev.pawl.testkit.sim.SimCrash;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The bugs that matter, put in on purpose between the engine and its store. A simulator that does not find each of them proves
 * nothing by finding none.
 */
public enum SeededBug {
    NONE,
    SKIP_THE_FENCE_CHECK(Flaw.SKIPS_FENCE),
    /** With the seal of the event, which depends on the version's, too: it would refuse by itself what the version let through. */
    SKIP_THE_VERSION_CHECK(Flaw.SKIPS_VERSION, Flaw.BREAKS_CHAIN),
    /** What goes to other workflows is sent after the digit is durable, in a transaction of its own. */
    DIGIT_IN_A_SEPARATE_TRANSACTION,
    /** A message leaves the inbox before the commit that holds its work. */
    ACKNOWLEDGE_BEFORE_COMMIT,
    LOSE_THE_CLOSER_DIGIT(Flaw.LOSES_CLOSER_DIGIT),
    /** Every spawn of several children opens one obligation too many. */
    COUNT_A_CHILD_TWICE,
    /** What is loaded has forgotten that it was finalized. */
    ACCEPT_A_SECOND_GUID_AFTER_FINALIZE(Flaw.LETS_LEDGERS_SHRINK),
    /** The epoch stays as it was when the engine reads again after an unknown outcome. */
    READ_AGAIN_BEFORE_RAISING_THE_EPOCH(Flaw.RAISES_NOTHING),
    /** Ids of signals that differ in case alone are taken for the same. */
    NORMALISE_SIGNAL_IDS(Flaw.FOLDS_SIGNAL_IDS),
    /** A signal's acceptance is written first, its message in a transaction of its own. */
    ACCEPT_OUTSIDE_THE_COMMIT(Flaw.ACCEPTS_WITHOUT_MESSAGE),
    /** A signal that joins its owner's commit is accepted, whatever becomes of that commit. */
    ACCEPT_BEFORE_THE_COMMIT(Flaw.KEEPS_REFUSED_ACCEPTANCE),
    /** A signal that joins its owner's commit leaves nothing for whoever sends it again. */
    FORGET_THE_ACCEPTANCE(Flaw.FORGETS_JOINED_ACCEPTANCE);

    @SuppressWarnings("ImmutableEnumChecker") // a set of constants that nobody can add to
    private final Set<Flaw> flaws;

    SeededBug(Flaw... flaws) {
        this.flaws = Set.of(flaws);
    }

    Set<Flaw> flaws() {
        return flaws;
    }

    /** The first seed under which it can show. */
    public long firstSeed() {
        return this == ACCEPT_BEFORE_THE_COMMIT || this == FORGET_THE_ACCEPTANCE ? Simulation.JOINED : 0;
    }

    /** The store as the engine reaches it. */
    Store front(Store store, SimPlan plan) {
        return switch (this) {
            case DIGIT_IN_A_SEPARATE_TRANSACTION -> StoreFront.committing(store, (fence, bundles) -> {
                Commit commit = store.commit(fence, StoreFront.without(bundles, Write.Post.class::isInstance));
                crash(plan);
                if (commit instanceof Commit.Committed) {
                    bundles.stream().flatMap(bundle -> bundle.writes().stream()).filter(Write.Post.class::isInstance)
                            .map(Write.Post.class::cast).forEach(post -> store.post(post.group(), post.message()));
                }
                return commit;
            });
            case ACKNOWLEDGE_BEFORE_COMMIT -> StoreFront.committing(store, (fence, bundles) -> {
                Commit acknowledged = store.commit(fence, StoreFront.without(bundles, write -> !fromInbox(write)));
                crash(plan);
                return acknowledged instanceof Commit.Committed
                        ? store.commit(fence, StoreFront.without(bundles, SeededBug::fromInbox))
                        : acknowledged;
            });
            case COUNT_A_CHILD_TWICE ->
                StoreFront.committing(store,
                        (fence, bundles) -> store.commit(fence, StoreFront.each(bundles, SeededBug::counted)));
            case ACCEPT_A_SECOND_GUID_AFTER_FINALIZE -> forgetful(store);
            case ACCEPT_OUTSIDE_THE_COMMIT -> StoreFront.signalling(store, request -> {
                SignalResult result = store.signal(request);
                if (result instanceof SignalResult.Accepted) {
                    crash(plan);
                    store.post(Scenario.GROUP, request.message());
                }
                return result;
            });
            case ACCEPT_BEFORE_THE_COMMIT -> StoreFront.committing(store, (fence, bundles) -> {
                boolean accepts = bundles.stream().flatMap(bundle -> bundle.writes().stream())
                        .anyMatch(Write.Accept.class::isInstance);
                if (accepts && plan.happens(0.05, () -> "crash between a signal's acceptance and its commit")) {
                    // Under a fence gone by nothing is written but what this flaw lets stay.
                    store.commit(new Fence(fence.shard(), fence.epoch() - 1), bundles);
                    throw new SimCrash();
                }
                return store.commit(fence, bundles);
            });
            case NONE, SKIP_THE_FENCE_CHECK, SKIP_THE_VERSION_CHECK, LOSE_THE_CLOSER_DIGIT,
                    READ_AGAIN_BEFORE_RAISING_THE_EPOCH, NORMALISE_SIGNAL_IDS,
                    FORGET_THE_ACCEPTANCE ->
                store;
        };
    }

    private static void crash(SimPlan plan) {
        if (plan.happens(0.02, () -> "crash between two transactions that should be one")) {
            throw new SimCrash();
        }
    }

    private static boolean fromInbox(Write write) {
        return write instanceof Write.Acknowledge acknowledge && acknowledge.place() instanceof Place.Inbox;
    }

    private static Write counted(Write write) {
        return write instanceof Write.MoveSemaphore move && move.delta() > 0
                ? new Write.MoveSemaphore(move.by(), move.delta() + 1, move.weight(), false)
                : write;
    }

    private static Store forgetful(Store store) {
        return StoreFront.loading(store, SeededBug::reopened);
    }

    private static Snapshot reopened(Snapshot loaded) {
        NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
        loaded.activities().forEach(activity -> activities.put(activity.key(), reopened(activity)));
        return new Snapshot(loaded.workflow(), activities, loaded.guids(), loaded.joins(), loaded.signals());
    }

    private static ActivityRecord reopened(ActivityRecord activity) {
        if (!activity.ledger().finalized() || activity.type() != ActivityType.WORKER) {
            return activity;
        }
        return activity.with(new ActivityLedger(activity.ledger().digits() - 200_000_000_000_000L))
                .with(new Waker.Task("echo", activity.input(), 1, Instant.EPOCH));
    }
}
