package dev.pawl.testkit.flows;

import dev.pawl.engine.Definition;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.StepFunction;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.engine.task.Submission;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The bugs of flows that matter, put in on purpose around the engine. A simulator that does not find each of them proves nothing. */
public enum FlowBug {
    NONE,
    /** A step's function runs while the word that it has begun is still on its way. */
    RUN_BEFORE_THE_BEGINNING_IS_DURABLE,
    /** The end of one operation is committed after the beginning of the next. */
    BEGIN_THE_NEXT_BEFORE_THE_END_IS_DURABLE,
    /** A plain step runs while the end of the one before it is still on its way. */
    RUN_THE_NEXT_BEFORE_THE_END_IS_DURABLE,
    /** An activity with a key is recorded when it has ended, and not before it begins. */
    LEAVE_OUT_A_DECLARATION,
    /** A shard is given back while plain steps of it run that nothing recorded speaks of. */
    HAND_OVER_UNDECLARED,
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
    COMMIT_STATEMENTS_APART,
    /** A process that was stopped for longer than its lease goes on as if nothing had happened. */
    BEGIN_WITHOUT_A_LEASE,
    /** A new owner does not wait for the attempts of the last one, although that one lives. */
    TAKE_THE_LIVING_FOR_GONE,
    /** How an attempt has ended whose shard has a new owner is not sent to that one. */
    LOSE_AN_OUTCOME,
    /** Compensations are plain steps, whatever is promised of them. */
    COMPENSATE_AT_LEAST_ONCE,
    /** After a crash it is forgotten which compensations have begun. */
    FORGET_A_COMPENSATION,
    /** What a worker was handed and did not complete is called failed, although nobody has looked. */
    CALL_THE_UNANSWERED_FAILED,
    /** A workflow that is ended from outside does not ask its children to cancel. */
    END_WITHOUT_FAREWELL,
    /** Who loses a race keeps the signal it has got. */
    KEEP_THE_SIGNAL_OF_THE_LOSER,
    /** The first run of the code sees a value as the step has returned it, and not as it is recorded. */
    SEE_WHAT_IS_NOT_RECORDED,
    /** A recorded value that the code cannot read is a failure of the flow. */
    FAIL_OF_WHAT_CANNOT_BE_READ,
    /** What a handler of an update did is not done again where the main code was. */
    FORGET_WHERE_A_HANDLER_RAN,
    /** The sender of a signal does not hear what has become of it. */
    LOSE_A_RECEIPT,
    /** The sender of a signal hears that it was accepted, although nobody has it. */
    ACCEPT_WHAT_IS_REFUSED;

    /** What the code sees of the result of a step; what was written is null unless this run has written it. */
    Object seen(@Nullable Object written, Object read) {
        return this == SEE_WHAT_IS_NOT_RECORDED && written != null ? written : read;
    }

    /** The text of a step whose result is of a class with versions. */
    String stamped(FlowContext context, Deployment deployment, String name, String text) {
        StepFunction<Deployment.Stamped> function = () -> new Deployment.Stamped(text, deployment.version());
        if (this != FAIL_OF_WHAT_CANNOT_BE_READ) {
            return context.step(name, Deployment.Stamped.class, function).text();
        }
        Map<?, ?> read = (Map<?, ?>) context.step(name, Object.class, function::run);
        if (!deployment.reads((Integer) Objects.requireNonNull(read.get("version")))) {
            throw new IllegalStateException("this is not what the code has asked for");
        }
        return text;
    }

    /** What an activity says of itself. */
    Guarantee declared(Guarantee guarantee) {
        return switch (this) {
            case RUN_AT_MOST_ONCE_AGAIN ->
                guarantee == Guarantee.AT_MOST_ONCE ? Guarantee.AT_LEAST_ONCE : guarantee;
            case DO_NOT_LOOK_UP -> guarantee == Guarantee.RECONCILED ? Guarantee.IDEMPOTENT : guarantee;
            default -> guarantee;
        };
    }

    /** What a compensation says of itself. */
    Guarantee compensating(Guarantee guarantee) {
        return this == COMPENSATE_AT_LEAST_ONCE ? Guarantee.AT_LEAST_ONCE : guarantee;
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
                List<Advance.Change> ends = all.stream().filter(FlowBug::ends).toList();
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
            case RUN_THE_NEXT_BEFORE_THE_END_IS_DURABLE -> submission -> {
                boolean step = submission.advance().result() == null
                        && submission.advance().changes().stream().anyMatch(Advance.Ran.class::isInstance);
                if (step) {
                    submission.committed();
                }
                engine.accept(step ? new Part(submission, submission.advance(), () -> {}) : submission);
            };
            case LEAVE_OUT_A_DECLARATION -> {
                Map<String, Advance.Begin> leftOut = new HashMap<>();
                yield submission -> engine.accept(new Part(submission, with(submission.advance(),
                        submission.advance().changes().stream().flatMap(change -> late(change,
                                submission.advance().workflow() + " " + change.operation(), leftOut)).toList()),
                        submission::committed));
            }
            case KEEP_THE_SIGNAL_OF_THE_LOSER -> submission -> engine.accept(changed(submission,
                    change -> change instanceof Advance.Drop drop
                            ? new Advance.Drop(drop.operation(), drop.unanswered(), drop.effect())
                            : change));
            case FORGET_WHERE_A_HANDLER_RAN -> submission -> engine.accept(changed(submission,
                    change -> change instanceof Advance.Do once && once.operation().activity().startsWith("~update:")
                            ? new Advance.Do(once.operation(), Text.of(Text.in(once.input())
                                    .replaceAll("\"at\":\"[^\"]*\"", "\"at\":\"nowhere\"")), once.output(),
                                    once.request(), once.takes(), once.effect())
                            : change));
            default -> engine;
        };
    }

    private static boolean ends(Advance.Change change) {
        return change instanceof Advance.Finish || change instanceof Advance.Ran;
    }

    /** The declaration is kept back until something else is said of the operation. */
    private static Stream<Advance.Change> late(Advance.Change change, String operation,
            Map<String, Advance.Begin> leftOut) {
        if (change instanceof Advance.Begin begin && begin.request() instanceof Request.Local
                && begin.effect() != null) {
            leftOut.put(operation, begin);
            return Stream.of();
        }
        Advance.Begin declaration = leftOut.remove(operation);
        return declaration == null ? Stream.of(change)
                : change instanceof Advance.Finish finish
                        ? Stream.of(new Advance.Ran(finish.operation(), declaration.input(), finish.response()))
                        : Stream.of(declaration, change);
    }

    private static Submission changed(Submission submission, UnaryOperator<Advance.Change> change) {
        return new Part(submission, with(submission.advance(),
                submission.advance().changes().stream().map(change).toList()), submission::committed);
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
        return switch (this) {
            case RUN_ON_WITHOUT_THE_SHARD -> instead(FlowHost.class, runtime, "lost", () -> {});
            case HAND_OVER_UNDECLARED -> instead(FlowHost.class, runtime, "declareRunning", () -> true);
            case TAKE_THE_LIVING_FOR_GONE ->
                instead(FlowHost.class, runtime, "present", () -> runtime.present(Set.of()));
            default -> runtime;
        };
    }

    /** The lease that attempts begin under. */
    ProcessLease lease(ProcessLease engine) {
        return this == BEGIN_WITHOUT_A_LEASE ? instead(ProcessLease.class, engine, "holds", () -> true) : engine;
    }

    /** A definition as the kernel asks it. Children of a flow that ends by itself are finished before they are asked to cancel. */
    Definition asked(Definition definition) {
        if (this != END_WITHOUT_FAREWELL) {
            return definition;
        }
        Behaviour real = definition.behaviour();
        Behaviour silent = (Behaviour) Proxy.newProxyInstance(Behaviour.class.getClassLoader(),
                new Class<?>[] {Behaviour.class}, (proxy, called, args) -> called.getName().equals("farewell")
                        && !((ActivityRecord) args[0]).ledger().finalized() ? null : called.invoke(real, args));
        return instead(Definition.class, definition, "behaviour", () -> silent);
    }

    /** Everything as it is, but for one method. */
    private static <T> T instead(Class<T> type, T real, String method, Runnable other) {
        return instead(type, real, method, () -> {
            other.run();
            return null;
        });
    }

    private static <T> T instead(Class<T> type, T real, String method, Supplier<@Nullable Object> other) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, called, args) -> {
                    if (called.getName().equals(method)) {
                        return other.get();
                    }
                    try {
                        return called.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
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
            case LOSE_AN_OUTCOME -> StoreFront.signalling(store, request -> request.signalName()
                    .startsWith("pawl:attempt:") ? new SignalResult.Accepted(request.accepted())
                            : store.signal(request));
            case LOSE_A_RECEIPT -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.without(bundles, write -> receipt(write) != null)));
            case ACCEPT_WHAT_IS_REFUSED -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.each(bundles, FlowBug::accepted)));
            case FORGET_A_COMPENSATION -> StoreFront.loading(store, FlowBug::forgetful);
            case CALL_THE_UNANSWERED_FAILED -> StoreFront.committing(store, (fence, bundles) -> store.commit(fence,
                    StoreFront.each(bundles, FlowBug::failed)));
            case TAKE_THE_DROPPED_FOR_ANSWERED -> StoreFront.loading(store, FlowBug::answered);
            default -> store;
        };
    }

    private static Message.@Nullable Respond receipt(Write write) {
        return write instanceof Write.Post post && post.message() instanceof Message.Respond receipt
                && receipt.source() == Message.Source.RECEIPT ? receipt : null;
    }

    private static Write accepted(Write write) {
        Message.Respond receipt = receipt(write);
        return receipt == null ? write
                : new Write.Post(((Write.Post) write).group(), new Message.Respond(receipt.workflow(), receipt.guid(),
                        receipt.target(), receipt.source(), new Response.Final(Payload.EMPTY)));
    }

    private static Write failed(Write write) {
        return write instanceof Write.PutEffect put && put.effect().effect().status() == EffectStatus.INDETERMINATE
                && put.effect().effect().error() != null && put.effect().effect().key().activityName().startsWith("h")
                        ? new Write.PutEffect(EffectRecord.of(put.effect().workflow(), put.effect().effect()
                                .after(EffectStatus.FAILED, put.effect().effect().error()), put.effect().updatedAt()))
                        : write;
    }

    private static Snapshot forgetful(Snapshot loaded) {
        NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
        loaded.activities().stream().filter(activity -> !activity.key().activity().startsWith(Actor.UNDO))
                .forEach(activity -> activities.put(activity.key(), activity));
        return new Snapshot(loaded.workflow(), activities, loaded.guids(), loaded.joins(), loaded.signals());
    }

    private static Bundle claimed(Bundle bundle) {
        return new Bundle(bundle.workflow(), bundle.expectedVersion(), bundle.parts().stream()
                .map(part -> new Bundle.Part(part.step(), part.writes().stream()
                        .flatMap(write -> claimed(bundle.workflow(), write)).toList()))
                .toList(), bundle.seal());
    }

    private static Stream<Write> claimed(WorkflowKey workflow, Write write) {
        boolean step =
                write instanceof Write.PutActivity put && Text.in(put.activity().input()).contains("\"kind\":\"step\"");
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
