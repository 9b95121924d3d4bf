package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import java.lang.System.Logger;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where operations of the code are: on a strand, in a branch, and in reach of a cancellation or not. Has them looked up, begun, waited for
 * and recorded by the incarnation.
 *
 * <p>Used by the thread of its strand. What it shares with other strands is guarded where it is: in the incarnation and the rollbacks.
 */
final class Scope {

    private final Incarnation incarnation;
    private final Strand strand;
    private final Naming naming;
    private final boolean shielded;
    /** Part of a handler, which ends when the flow does. */
    private final boolean handler;

    /** Of the code as a whole. */
    Scope(Incarnation incarnation) {
        this(incarnation, incarnation.strands().main(), "", false, false);
    }

    /** Of the handler of an update. */
    Scope(Incarnation incarnation, Strand strand, String path) {
        this(incarnation, strand, path, false, true);
    }

    private Scope(Incarnation incarnation, Strand strand, String path, boolean shielded, boolean handler) {
        this.incarnation = incarnation;
        this.strand = strand;
        this.naming = new Naming(path);
        strand.runsOn(Thread.currentThread());
        this.shielded = shielded;
        this.handler = handler;
    }

    /** Of a branch; to be called on its own thread. */
    Scope branch(Strand branch, String path) {
        return new Scope(incarnation, branch, path, shielded, handler);
    }

    /** Of something on the same strand that a cancellation does not reach. */
    Scope shielded(String path) {
        return new Scope(incarnation, strand, path, true, handler);
    }

    Incarnation incarnation() {
        return incarnation;
    }

    FlowRuntime runtime() {
        return incarnation.runtime();
    }

    UserCodec codec() {
        return runtime().codec();
    }

    Strand strand() {
        return strand;
    }

    Naming naming() {
        return naming;
    }

    Rollbacks rollbacks() {
        return incarnation.rollbacks();
    }

    /** Says nothing while the code only runs again. */
    Logger log() {
        return new ReplaySafeLogger(System.getLogger("dev.pawl.flow." + incarnation.flow().name()),
                () -> incarnation.progress().atFront(naming.path()));
    }

    // What is recorded.

    /** The record of an operation that the code has come to; null if it is new. If the flow is to end, nothing new is begun. */
    @Nullable ActivityRecord reach(String id, Payload header) {
        return reach(id, header, null);
    }

    /** The same for a wait for a signal on a topic: what it gets is unused until the code does something else. */
    @Nullable ActivityRecord reach(String id, Payload header, @Nullable String topic) {
        ActivityRecord known = find(id, header, topic);
        if (known == null && !id.startsWith(Journal.OWN)) {
            String reason = cancelled();
            if (reason != null) {
                // Of a race that was not decided there may be records; its branches will not ask for them.
                incarnation.progress().skip(id + ".");
                throw ended(reason);
            }
        }
        return known;
    }

    /** The same for a plain step that may have been under way: it may have happened, so it is not skipped if the flow is to end. */
    @Nullable ActivityRecord reachUnderWay(String id, Payload header) {
        return find(id, header, null);
    }

    /**
     * Whether a plain step may have been under way when the last incarnation ended, if nothing is recorded of it. Not if that one had taken a
     * request for the end: what ran then was declared.
     */
    boolean mayBeUnderWay(String id) {
        boolean unclean = strand.recovery() == FlowHost.Recovery.UNCLEAN && !incarnation.control().cancelledBefore();
        return unclean || runtime().leftRuns().find(incarnation.workflow(), id) != null;
    }

    private @Nullable ActivityRecord find(String id, Payload header, @Nullable String topic) {
        // The engine's own waits, for the answer of a person for example, are never given back.
        ActivityRecord known =
                incarnation.progress().reach(strand, id, header, id.startsWith(Journal.OWN) ? null : topic);
        replayUpdates(id);
        return known;
    }

    /** Runs again what handlers of updates did while the main code was here before. */
    void replayUpdates(String at) {
        incarnation.updates().replay(strand, at);
    }

    /** Something of the code of a flow that is an operation: others of the flow may run meanwhile. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    <T extends @Nullable Object> T outside(Guard.Body<T> operation) {
        naming.check();
        incarnation.updates().leave(strand);
        T result;
        try {
            result = operation.run();
        } catch (Unwound unwound) {
            // Nothing of the strand runs any more.
            throw unwound;
        } catch (RuntimeException | Error e) {
            incarnation.updates().enter(strand);
            throw e;
        }
        incarnation.updates().enter(strand);
        return result;
    }

    /** The same for what comes to nothing. */
    void outsideRun(Runnable operation) {
        this.<@Nullable Object>outside(() -> {
            operation.run();
            return null;
        });
    }

    @Nullable ActivityRecord recorded(String id) {
        return incarnation.progress().recorded(id);
    }

    /** What is stored of an effect: for who comes after a crash. */
    @Nullable Effect stored(Effect.Key key) {
        return incarnation.lookup().effect(strand, key);
    }

    /** A payload as the code asks for it; throws {@link PayloadError} if it is not that. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Null is a value like any other.
    <T extends @Nullable Object> T read(Payload payload, Type type) {
        return codec().<T>decode(payload, type);
    }

    /** The same for what is recorded: code that cannot read it is not the code that made the record, and the workflow is parked. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    <T extends @Nullable Object> T decode(String id, Payload payload, Type type) {
        try {
            return this.<T>read(payload, type);
        } catch (PayloadError e) {
            throw incarnation.parking().park(id, e);
        }
    }

    /** What a finished operation has returned. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    <T extends @Nullable Object> T result(String id, ActivityRecord done, Type type) {
        return decode(id, output(id, done), type);
    }

    /** The same as it is stored; throws what it has failed with. */
    Payload output(String id, ActivityRecord done) {
        if (dropped(done)) {
            throw ended(incarnation.cancelled() == null ? "another branch was first" : cancelReason());
        }
        if (Results.isFailure(done.output())) {
            Results.Failure why = Results.failure(Results.error(done.output()));
            if (why.code().equals(Aborted.CODE)) {
                throw new Aborted("Aborted", id + " was aborted " + why.message());
            }
            throw new OperationFailed(why.code(), id, why.type(), why.message());
        }
        return done.output();
    }

    /** Whether an operation has ended because nobody waited for it any more. */
    static boolean dropped(ActivityRecord record) {
        return record.ledger().finalized() && record.ledger().legTwoEntries() == 0 && record.output().size() == 0;
    }

    // What is handed in.

    void commit(Change... changes) {
        incarnation.outbox().commit(strand, changes);
    }

    /** Returns when everything the code has done is durable. */
    void awaitDurable() {
        incarnation.outbox().awaitDurable(strand);
    }

    void hold(Change... changes) {
        incarnation.outbox().hold(strand, changes);
    }

    /** Something that is done by being recorded. */
    void once(String id, Payload header, Payload output, Request.Stepping request) {
        if (reach(id, header) == null) {
            hold(new Advance.Do(FlowBehaviour.operation(id), header, output, request, null));
        }
    }

    /** Runs the statements and hands in what they come to, in one transaction. */
    void transact(TransactionOperation.Work work) throws Exception {
        incarnation.errands().run(strand, work);
    }

    /** Ends code that only answers a query: it asks nobody, and does nothing. */
    void checkWritable() {
        incarnation.writable();
    }

    /** Waits until attempts may begin: the lease of this process certainly lasts. */
    void awaitLease() {
        ProcessLease lease = runtime().engine().lease();
        while (true) {
            CompletableFuture<Void> renewal = lease.renewal();
            if (lease.holds(incarnation.shard())) {
                return;
            }
            lease.look();
            incarnation.waiting().forTurn(strand, renewal, () -> false);
        }
    }

    /** Ends the strand if this engine stops, or hands the shard over. */
    void stopIfDraining() {
        incarnation.outbox().stopIfDraining(strand);
    }

    /** The last thing before a function runs, on its own thread: the process may have stood still since it was let in. */
    void requireLease() {
        if (!runtime().engine().lease().holds(incarnation.shard())) {
            throw new LeaseLapsed();
        }
    }

    void checkAlive() {
        incarnation.strands().check(strand);
    }

    // What is waited for.

    /** Begins an operation, unless it has begun before, and waits for its output. */
    Payload ask(String id, Payload header, Request.Waiting request) {
        ActivityRecord known = reach(id, header, request instanceof Request.WebHook hook ? hook.topic() : null);
        if (known == null || !known.ledger().finalized()) {
            List<Change> begins = known != null ? List.of()
                    : List.of(new Advance.Begin(FlowBehaviour.operation(id), header, request));
            known = await(id, begins);
        }
        return output(id, known);
    }

    /** Asks a person, and waits; the workflow is parked meanwhile. */
    Payload asked(String id, Payload header, Request.WebHook hook, String reason) {
        incarnation.outbox().asks(id, reason);
        try {
            return ask(id, header, hook);
        } finally {
            incarnation.outbox().heardOf(id);
        }
    }

    /** Begins what has to be begun, and waits until an operation has been answered. */
    ActivityRecord await(String id, List<Change> begins) {
        Set<String> ids = Set.of(id);
        await(begins, ids, () -> handle(ids));
        return answered(id);
    }

    void await(List<Change> begins, Set<String> ids, Waiting.Handling handling) {
        incarnation.waiting().forAnswer(strand, begins, ids, handling);
    }

    /** The record of an operation that has been waited for. */
    ActivityRecord answered(String id) {
        ActivityRecord record = recorded(id);
        if (record == null || !record.ledger().finalized()) {
            throw new IllegalStateException(id + " was not answered");
        }
        return record;
    }

    /** Waits for something that is no operation; if it need not be, it is not once the flow is to end. */
    void await(CompletableFuture<Void> turn, boolean optional) {
        incarnation.waiting().forTurn(strand, turn, () -> {
            String reason = optional ? cancelled() : null;
            if (reason != null) {
                throw ended(reason);
            }
            return false;
        });
    }

    /** What comes for the code itself while it waits for one of these operations: the end. */
    boolean handle(Set<String> ids) {
        String reason = cancelled();
        if (reason != null) {
            List<String> unanswered = incarnation.progress().unanswered(ids);
            if (unanswered == null) {
                return false;
            }
            hold(unanswered.stream()
                    .map(open -> new Advance.Drop(FlowBehaviour.operation(open), true))
                    .toArray(Change[]::new));
            throw ended(reason);
        }
        return false;
    }

    /** The code hears of its end: nothing that it comes to after that was under way before. */
    private FlowCancelled ended(String reason) {
        strand.atFront();
        return new FlowCancelled(reason);
    }

    /** Why the flow is to end, if somebody has asked for that and it reaches here. */
    @Nullable String cancelled() {
        if (shielded) {
            return null;
        }
        String reason = incarnation.cancelled();
        return reason == null && handler ? incarnation.updates().ending() : reason;
    }

    /**
     * The request to stop for one attempt that runs here.
     *
     * @param settling says what is known of the effect of an attempt that has ended; null if it has no effect that is recorded
     */
    Interruption interruption(@Nullable Function<AttemptOutcome, @Nullable Effect> settling) {
        return new Interruption(strand, shielded, settling);
    }

    /** The same wherever it is; empty if nobody has asked. */
    String cancelReason() {
        String reason = incarnation.cancelled();
        return reason == null ? "" : reason;
    }
}
