package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.Submission;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.scenario.Text;
import dev.pawl.testkit.sim.SimRows;
import dev.pawl.testkit.simulate.SimPlan;
import dev.pawl.testkit.simulate.StoreFront;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The bugs of flows that matter, put in on purpose around the engine. A simulator that does not find each of them proves nothing. */
public enum FlowBug {
    NONE,
    /** A step's function runs while the word that it has begun is still on its way. */
    RUN_BEFORE_THE_BEGINNING_IS_DURABLE,
    /** The end of one operation is committed after the beginning of the next. */
    BEGIN_THE_NEXT_BEFORE_THE_END_IS_DURABLE,
    /** What has come is told to the code that runs, and to nobody who has to run it after a crash. */
    LOSE_A_WAKE_UP,
    /** After a crash an at-most-once activity is handed out again. */
    RUN_AT_MOST_ONCE_AGAIN,
    /** After a crash a reconciled activity is handed out again without a look. */
    DO_NOT_LOOK_UP,
    /** A replay reads a wait that was dropped as one that was answered. */
    TAKE_THE_DROPPED_FOR_ANSWERED,
    /** Code runs on when its shard is lost. */
    RUN_ON_WITHOUT_THE_SHARD,
    /** What a flow has taken notice of is not taken out. */
    LEAVE_A_TAKEN_SIGNAL,
    /** Nobody looks, but everybody is told that nothing was found. */
    REDISPATCH_WITHOUT_VERIFY,
    /** What has no key gets a record of its effect all the same. */
    EFFECT_RECORD_WITHOUT_KEY,
    /** What is known of effects is not written down. */
    NO_EFFECT_RECORD,
    /** An effect is called completed when it is declared. */
    COMPLETED_BEFORE_IT_HAPPENED,
    /** What a flow says of itself is not written down. */
    LOSE_AN_ATTRIBUTE,
    /** Something that was taken away is still there. */
    KEEP_A_REMOVED_ATTRIBUTE,
    /** The statements of a transaction are committed, whatever becomes of their record. */
    COMMIT_STATEMENTS_APART;

    /** What an activity says of itself. */
    Guarantee declared(Guarantee guarantee) {
        return switch (this) {
            case RUN_AT_MOST_ONCE_AGAIN ->
                guarantee == Guarantee.AT_MOST_ONCE ? Guarantee.AT_LEAST_ONCE : guarantee;
            case DO_NOT_LOOK_UP -> guarantee == Guarantee.RECONCILED ? Guarantee.IDEMPOTENT : guarantee;
            default -> guarantee;
        };
    }

    /** Who looks whether an effect has happened. */
    Activity.Verifier<String, String> verifier(Activity.Verifier<String, String> real) {
        return this == REDISPATCH_WITHOUT_VERIFY ? (key, input) -> new Verified.NotCompleted<>() : real;
    }

    /** What flows hand in, on its way to the engine. */
    Consumer<Submission> submitting(Consumer<Submission> engine) {
        return switch (this) {
            case RUN_BEFORE_THE_BEGINNING_IS_DURABLE -> submission -> {
                boolean begins = submission.advance().changes().stream()
                        .anyMatch(change -> change instanceof Advance.Begin begin
                                && begin.request() instanceof Request.Local);
                if (begins) {
                    submission.committed();
                }
                engine.accept(begins ? new Part(submission, submission.advance(), () -> {}) : submission);
            };
            case BEGIN_THE_NEXT_BEFORE_THE_END_IS_DURABLE -> submission -> {
                List<Advance.Change> all = submission.advance().changes();
                List<Advance.Change> ends = all.stream().filter(Advance.Finish.class::isInstance).toList();
                if (ends.isEmpty() || ends.size() == all.size()) {
                    engine.accept(submission);
                } else {
                    Part later = new Part(submission, with(submission.advance(), ends), () -> {});
                    engine.accept(new Part(submission, with(submission.advance(),
                            all.stream().filter(change -> !ends.contains(change)).toList()), () -> {
                                submission.committed();
                                engine.accept(later);
                            }));
                }
            };
            default -> engine;
        };
    }

    private static Advance with(Advance advance, List<Advance.Change> changes) {
        return new Advance(advance.workflow(), advance.flow(), changes, advance.heard(), advance.held(),
                advance.result());
    }

    /** A part of what was handed in. */
    private record Part(Submission whole, Advance advance, Runnable then) implements Submission {

        @Override
        public boolean stands() {
            return whole.stands();
        }

        @Override
        public void committed() {
            then.run();
        }

        @Override
        public void outdated(String why) {
            whole.outdated(why);
        }

        @Override
        public void refused(String why) {
            whole.refused(why);
        }
    }

    /** What flows are told, on its way from the engine. */
    FlowHost host(FlowHost runtime) {
        return this != RUN_ON_WITHOUT_THE_SHARD ? runtime : new FlowHost() {

            @Override
            public void awake(News news) {
                runtime.awake(news);
            }

            @Override
            public void told() {
                runtime.told();
            }

            @Override
            public void over(WorkflowKey workflow, Write.CloseWorkflow end) {
                runtime.over(workflow, end);
            }

            @Override
            public void lost(ShardId shard) {
                // That is the bug.
            }
        };
    }

    /** The store as the engine reaches it. */
    Store front(Store store, SimPlan plan) {
        return switch (this) {
            case LOSE_A_WAKE_UP -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    bundles.stream().map(bundle -> deafened(store, bundle)).toList()));
            case LEAVE_A_TAKEN_SIGNAL -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.without(bundles, Write.TakeSignal.class::isInstance)));
            case NO_EFFECT_RECORD -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.without(bundles, Write.PutEffect.class::isInstance)));
            case LOSE_AN_ATTRIBUTE -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.without(bundles, Write.PutAttribute.class::isInstance)));
            case KEEP_A_REMOVED_ATTRIBUTE -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.without(bundles, write -> write instanceof Write.PutAttribute put
                            && put.attribute() instanceof Attribute.Removed)));
            case EFFECT_RECORD_WITHOUT_KEY -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    bundles.stream().map(FlowBug::claimed).toList()));
            case COMPLETED_BEFORE_IT_HAPPENED -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.each(bundles, FlowBug::completed)));
            case COMMIT_STATEMENTS_APART -> StoreFront.transacting(store, (fence, work) -> store.transact(fence,
                    connection -> work.run(SimRows.connection((SimRows) store))));
            case TAKE_THE_DROPPED_FOR_ANSWERED -> StoreFront.loading(store, FlowBug::answered);
            default -> store;
        };
    }

    private static Bundle claimed(Bundle bundle) {
        return new Bundle(bundle.workflow(), bundle.expectedVersion(), bundle.parts().stream()
                .map(part -> new Bundle.Part(part.step(), part.writes().stream()
                        .flatMap(write -> claimed(bundle.workflow(), write)).toList()))
                .toList(), bundle.seal());
    }

    private static Stream<Write> claimed(WorkflowKey workflow, Write write) {
        boolean step = write instanceof Write.PutActivity put && put.activity().waker() instanceof Waker.Local
                && Text.in(put.activity().input()).contains("\"kind\":\"step\"");
        return step ? Stream.of(write, new Write.PutEffect(EffectRecord.of(workflow, Effect.declared(new Effect.Key(
                "step", ((Write.PutActivity) write).activity().key().activity(), "k")), Instant.EPOCH)))
                : Stream.of(write);
    }

    private static Write completed(Write write) {
        return write instanceof Write.PutEffect put && put.effect().effect().status() == EffectStatus.INDETERMINATE
                ? new Write.PutEffect(EffectRecord.of(put.effect().workflow(),
                        put.effect().effect().completed(Text.of("\"surely\"")), put.effect().updatedAt()))
                : write;
    }

    private static Bundle deafened(Store store, Bundle bundle) {
        Snapshot before = store.load(bundle.workflow());
        return StoreFront.each(List.of(bundle), write -> write instanceof Write.PutActivity put
                ? new Write.PutActivity(deafened(before.activity(put.activity().key()), put.activity()))
                : write).getFirst();
    }

    private static ActivityRecord deafened(@Nullable ActivityRecord before, ActivityRecord after) {
        return before != null && before.waker() instanceof Waker.Code earlier
                && after.waker() instanceof Waker.Code later && earlier.news() < later.news()
                        ? after.with(new Waker.Code(later.news(), false))
                        : after;
    }

    private static Snapshot answered(Snapshot loaded) {
        NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
        loaded.activities().forEach(activity -> activities.put(activity.key(), answered(activity)));
        return new Snapshot(loaded.workflow(), activities, loaded.guids(), loaded.joins(), loaded.signals());
    }

    private static ActivityRecord answered(ActivityRecord activity) {
        boolean dropped = activity.ledger().finalized() && activity.ledger().legTwoEntries() == 0
                && activity.type() != ActivityType.TRIGGER;
        boolean wait = dropped && activity.output().size() == 0;
        return wait ? activity.with(new ActivityLedger(activity.ledger().digits() + 1)).with(Text.of("\"nobody's\""))
                : activity;
    }
}
