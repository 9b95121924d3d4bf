package dev.pawl.engine.flow;

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
import org.jspecify.annotations.Nullable;

/**
 * Where operations of the code are: on a strand, in a branch, and in reach of a cancellation or not. Has them looked up, begun, waited for
 * and recorded by the incarnation.
 *
 * <p>Used by the thread of its strand. What it shares with other strands is guarded where it is: in the incarnation and the rollbacks.
 * Updates are the main strand's alone.
 */
final class Scope {

    private final Incarnation incarnation;
    private final Strand strand;
    private final Naming naming;
    private final boolean shielded;
    private final Rollbacks rollbacks;
    private final Updates updates;

    /** Of the code as a whole. */
    Scope(Incarnation incarnation) {
        this(incarnation, incarnation.strands().main(), "", false, new Rollbacks(), new Updates(incarnation));
    }

    private Scope(Incarnation incarnation, Strand strand, String path, boolean shielded, Rollbacks rollbacks,
            Updates updates) {
        this.incarnation = incarnation;
        this.strand = strand;
        this.naming = new Naming(path);
        this.shielded = shielded;
        this.rollbacks = rollbacks;
        this.updates = updates;
    }

    /** Of a branch; to be called on its own thread. */
    Scope branch(Strand branch, String path) {
        return new Scope(incarnation, branch, path, shielded, rollbacks, updates);
    }

    /** Of something on the same strand that a cancellation does not reach. */
    Scope shielded(String path) {
        return new Scope(incarnation, strand, path, true, rollbacks, updates);
    }

    Incarnation incarnation() {
        return incarnation;
    }

    FlowRuntime runtime() {
        return incarnation.runtime();
    }

    Codec codec() {
        return runtime().codec();
    }

    Strand strand() {
        return strand;
    }

    Naming naming() {
        return naming;
    }

    Rollbacks rollbacks() {
        return rollbacks;
    }

    /** Says nothing while the code only runs again. */
    Logger log() {
        return new ReplaySafeLogger(System.getLogger("dev.pawl.flow." + incarnation.flow().name()),
                () -> incarnation.progress().atFront(naming.path()));
    }

    // What is recorded.

    /** The record of an operation that the code has come to; null if it is new. If the flow is to end, nothing new is begun. */
    @Nullable ActivityRecord reach(String id, Payload header) {
        ActivityRecord known = incarnation.progress().reach(strand, id, header);
        if (known == null && !id.startsWith(Journal.OWN)) {
            String reason = cancelled();
            if (reason != null) {
                throw new FlowCancelled(reason);
            }
        }
        updates.replay(strand, id);
        return known;
    }

    /** Answers again what was answered while the code waited here before. */
    void replayUpdates(String at) {
        updates.replay(strand, at);
    }

    @Nullable ActivityRecord recorded(String id) {
        return incarnation.progress().recorded(id);
    }

    /** What is stored of an effect: for who comes after a crash. */
    @Nullable Effect stored(Effect.Key key) {
        return incarnation.lookup().effect(strand, key);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Null is a value like any other.
    <T extends @Nullable Object> T decode(Payload payload, Type type) {
        return codec().<T>decode(payload, type);
    }

    /** What a finished operation came to. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    <T extends @Nullable Object> T result(String id, ActivityRecord done, Type type) {
        if (dropped(done)) {
            throw new FlowCancelled(incarnation.cancelled() == null ? "another branch was first" : cancelReason());
        }
        if (Results.isFailure(done.output())) {
            Results.Failure why = Results.failure(Results.error(done.output()), codec());
            if (why.code().equals(Aborted.CODE)) {
                throw new Aborted("Aborted", id + " was aborted " + why.message());
            }
            throw new OperationFailed(why.code(), id, why.type(), why.message());
        }
        return decode(done.output(), type);
    }

    /** Whether an operation has ended because nobody waited for it any more. */
    static boolean dropped(ActivityRecord record) {
        return record.ledger().finalized() && record.ledger().legTwoEntries() == 0 && record.output().size() == 0;
    }

    // What is handed in.

    void commit(Change change) {
        incarnation.outbox().commit(strand, change);
    }

    void hold(Change... changes) {
        incarnation.outbox().hold(strand, changes);
    }

    /** Something that is done by being recorded. */
    void once(String id, Payload header, Payload output, Request.Stepping request) {
        if (reach(id, header) == null) {
            hold(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id), header, output, request, null));
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

    void checkAlive() {
        incarnation.strands().check(strand);
    }

    // What is waited for.

    /** Begins an operation, unless it has begun before, and waits for what it comes to. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // The type is that of the argument.
    <T extends @Nullable Object> T ask(String id, Payload header, Request.Waiting request, Type type) {
        ActivityRecord known = reach(id, header);
        if (known == null || !known.ledger().finalized()) {
            List<Change> begins = known != null ? List.of()
                    : List.of(new Advance.Begin(Advance.operation(FlowBehaviour.FLOW, id), header, request));
            known = await(id, begins);
        }
        return result(id, known, type);
    }

    /** Asks a person, and waits; the workflow is parked meanwhile. */
    <T> T asked(String id, Payload header, Request.WebHook hook, String reason, Class<T> type) {
        incarnation.outbox().asks(id, reason);
        try {
            return ask(id, header, hook, type);
        } finally {
            incarnation.outbox().heardOf(id);
        }
    }

    /** Begins what has to be begun, and waits until an operation has been answered. */
    ActivityRecord await(String id, List<Change> begins) {
        Set<String> ids = Set.of(id);
        await(begins, ids, () -> handle(id, ids));
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
                throw new FlowCancelled(reason);
            }
            return false;
        });
    }

    /** What comes for the code itself while it waits for one of these operations: the end, or something to be answered. */
    boolean handle(String at, Set<String> ids) {
        String reason = cancelled();
        if (reason != null) {
            hold(incarnation.progress().openBelow("").stream().filter(ids::contains)
                    .map(open -> new Advance.Drop(Advance.operation(FlowBehaviour.FLOW, open), true))
                    .toArray(Change[]::new));
            throw new FlowCancelled(reason);
        }
        return answerUpdates(at);
    }

    /**
     * The same while it waits for branches. They hear of the end themselves: what one of them does until it has ended must be known when
     * it is taken back.
     */
    boolean answerUpdates(String at) {
        return strand.parent == null && updates.answer(strand, at);
    }

    /** Why the flow is to end, if somebody has asked for that and it reaches here. */
    @Nullable String cancelled() {
        return shielded ? null : incarnation.cancelled();
    }

    /** The same wherever it is; empty if nobody has asked. */
    String cancelReason() {
        String reason = incarnation.cancelled();
        return reason == null ? "" : reason;
    }
}
