package dev.pawl.engine.flow;

import java.lang.System.Logger;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the code of a flow does durably. Every operation has an id: the name it is given, and how often the name came before in the same
 * branch. What was done once under an id is not done again; the code gets the recorded result.
 *
 * <p>For the one thread it was handed to. A branch has a context of its own, and must use that one.
 */
public interface FlowContext {

    String namespace();

    String workflowId();

    /** Of the flow's code. */
    String version();

    /** Runs the function and records what it comes to. At least once, and never after its result is durable. */
    <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> function);

    <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> function);

    /** A step with other retries than {@link RetryPolicy#DEFAULT}. */
    <T extends @Nullable Object> T step(String name, Class<T> type, RetryPolicy retry, StepFunction<T> function);

    /** A step that comes to nothing. */
    void step(String name, Effect effect);

    /** What a step does that comes to nothing. */
    @FunctionalInterface
    interface Effect {

        void run() throws Exception;
    }

    /** Runs an activity, with all that is promised of it. The operation is called like the activity. */
    <I extends @Nullable Object, O extends @Nullable Object> O run(Activity<I, O> activity, I input);

    <I extends @Nullable Object, O extends @Nullable Object> O run(String name, Activity<I, O> activity, I input);

    /**
     * Statements in the engine's own database, exactly once: they and the record that they have run are one transaction. The
     * connection is neither committed nor closed by the body.
     */
    <T extends @Nullable Object> T transaction(String name, Class<T> type, Transactional<T> body);

    /**
     * Statements in a database of the application's own, exactly once: in the same transaction a row of the table
     * {@code pawl_effect} says that they have run, and what they came to. It is created if it is not there.
     */
    <T extends @Nullable Object> T transaction(String name, DataSource source, Class<T> type, Transactional<T> body);

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Transactional<T extends @Nullable Object> {

        T run(Connection connection) throws Exception;
    }

    void sleep(Duration duration);

    void sleepUntil(Instant time);

    /**
     * Waits for a signal, for as long as it takes. Each signal is given to one wait. Throws {@link SignalUnreadable} if the signal that
     * comes is not of the type; it is used up then.
     */
    <T extends @Nullable Object> T signal(String name, Class<T> type);

    /** The same for so long, and not longer. */
    <T extends @Nullable Object> Received<T> signal(String name, Class<T> type, Duration timeout);

    /**
     * Signals another workflow of this group, and waits until that one has it: it is there once, whatever crashes. Throws
     * {@link SignalNotAccepted} if there is no such workflow, or if it has ended; that is the same in every run of the code.
     *
     * <p>A workflow whose shard is out of service, or whose definition no engine has, accepts nothing until it goes on. If the flow is
     * cancelled before the receipt has come, the signal may arrive or not.
     */
    void signalTo(String workflowId, String name, @Nullable Object payload);

    /** Runs branches side by side, and waits for all of them. If some fail, the first of them in the list is thrown. No branches, no results. */
    <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches);

    /**
     * Runs branches side by side; the first to come to something wins. The others are cut off where they are: what they have done stays
     * done, and is not taken back if the flow fails later. A signal that a losing branch has got, and since which it has begun nothing
     * else, was not used: it goes to the next wait for that signal, behind those that have come meanwhile. At least one branch is needed.
     */
    <T extends @Nullable Object> T race(List<? extends Branch<? extends T>> branches);

    /** A branch for each item, at most so many at a time. Results are in the order of the items. */
    <A extends @Nullable Object, T extends @Nullable Object> List<T> map(Collection<A> items, int atOnce,
            ItemBranch<A, T> branch);

    /** What is done for one item. */
    @FunctionalInterface
    interface ItemBranch<A extends @Nullable Object, T extends @Nullable Object> {

        T run(FlowContext branch, A item) throws Exception;
    }

    /** Starts another workflow and waits for its result. Throws {@link ChildFailed} if that one does not complete. */
    <I extends @Nullable Object, O extends @Nullable Object> O child(Flow<I, O> flow, String workflowId, I input);

    /** The same, and says what becomes of it when this workflow fails or is cancelled. */
    <I extends @Nullable Object, O extends @Nullable Object> O child(Flow<I, O> flow, String workflowId, I input,
            ParentEnd onParentEnd);

    /** Starts another workflow and goes on at once; its result can be waited for later, or never. */
    <I extends @Nullable Object, O extends @Nullable Object> ChildHandle<O> start(Flow<I, O> flow, String workflowId,
            I input, ParentEnd onParentEnd);

    /** Starts another workflow and goes on as soon as it exists; it is on its own from then on. */
    <I extends @Nullable Object> void startChild(Flow<I, ?> flow, String workflowId, I input);

    /** Asks for the end of another workflow of this group, and goes on. */
    void cancelOther(String workflowId, String reason);

    /**
     * Runs, in reverse order, if the flow fails or is cancelled from here on. Survives crashes like any step: at least once, tried twice
     * ({@link RetryPolicy#COMPENSATION}). If it must not happen twice, use an activity.
     */
    void onRollback(String name, Effect effect);

    /** The same with what is promised of an activity: its guarantee, its key, its retries. */
    <I extends @Nullable Object> void onRollback(String name, Activity<I, ?> activity, I input);

    /** Runs a branch that a cancellation does not reach. */
    <T extends @Nullable Object> T shielded(Branch<T> branch);

    /** Whether somebody has asked for the end of the flow. */
    boolean cancelRequested();

    /** Answers updates by a function that does nothing but look at the state of the flow and change it. */
    <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input, Class<O> output,
            Handler<I, O> handler);

    /**
     * Answers updates. A handler runs while the flow is in an operation of its own, a step included, in a branch of its own: with the context
     * it is handed it may do everything the flow may. One handler at a time, in the order the updates came, also while it waits. The flow
     * ends when its handlers have answered; if it fails or is cancelled, they are cancelled first.
     */
    <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input, Class<O> output,
            UpdateHandler<I, O> handler);

    /** The same, with a validator, or for handlers that may run side by side. */
    <I extends @Nullable Object, O extends @Nullable Object> void onUpdate(String name, Class<I> input, Class<O> output,
            UpdateHandler<I, O> handler, UpdateOptions<I> options);

    /**
     * Waits until the handlers of updates that have begun have answered. To be called before what they change is read for the last time: for
     * the result of the flow, or for the input of {@link #continueAsNew}. Until the next operation of the flow no other handler begins; an update
     * that comes meanwhile waits, and goes with the flow if it continues as new. If the flow is cancelled, its handlers are, and the wait ends.
     */
    void awaitHandlers();

    /** Answers queries, on what is durable, and without changing anything. */
    <I extends @Nullable Object, O extends @Nullable Object> void onQuery(String name, Class<I> input, Class<O> output,
            Handler<I, O> handler);

    /** Answers an update or a query, without any operation. */
    @FunctionalInterface
    interface Handler<I extends @Nullable Object, O extends @Nullable Object> {

        O handle(I input) throws Exception;
    }

    /** The time, the same whenever the code runs again. */
    Instant now();

    /** Chance, the same whenever the code runs again. */
    RandomGenerator random();

    UUID uuid();

    /**
     * True for workflows that come here for the first time with this code, and for ever for those that were told so; false for those
     * that had passed here before. What a change of code asks, to leave running workflows as they are.
     */
    boolean patched(String changeId);

    /**
     * Something the workflow is found by, and shown with, from now on: the last value under a name holds. At most 64 names, each of 1 to 64
     * characters; a text has at most 2 KiB.
     */
    void attribute(String name, String value);

    void attribute(String name, long value);

    void attribute(String name, boolean value);

    /** To the millisecond. */
    void attribute(String name, Instant value);

    /** The workflow is not found by this any more. */
    void removeAttribute(String name);

    /** Something the workflow is shown with, but not found by: anything that can be written as JSON, up to 16 KiB. */
    void memo(String name, @Nullable Object value);

    void removeMemo(String name);

    /** Says nothing while the code only runs again. */
    Logger log();

    /**
     * Ends this workflow and goes on in a new one, with nothing but this input; signals nobody waited for yet go with it. Handlers of updates
     * that still run end in this one, and what they change from here on is not in the input: see {@link #awaitHandlers}. A flow that was
     * cancelled does not go on.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // It never returns, whatever is asked for.
    <T extends @Nullable Object> T continueAsNew(@Nullable Object input);
}
