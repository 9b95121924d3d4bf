package dev.pawl.engine.flow;

import dev.pawl.engine.task.Transaction;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.id.WorkflowKey;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Statements of the user's on their way to be committed, together with all that was held before them. */
final class Errands {

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    private final Outbox outbox;
    // Under the lock.
    private final List<Errand> errands = new ArrayList<>();

    Errands(Incarnation incarnation, Guard guard, Strands strands, Outbox outbox) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
        this.outbox = outbox;
    }

    /** Told to whoever waits for a transaction that will never be. */
    private static final class Abandoned extends Exception {

        private static final long serialVersionUID = 1L;

        Abandoned(String why) {
            super(why, null, false, false);
        }
    }

    /** Statements on their way. */
    private final class Errand implements Transaction {

        private final List<Change> before;
        private final TransactionOperation.Work work;
        private final CompletableFuture<@Nullable Exception> done = new CompletableFuture<>();

        Errand(List<Change> before, TransactionOperation.Work work) {
            this.before = before;
            this.work = work;
        }

        @Override
        public WorkflowKey workflow() {
            return incarnation.key();
        }

        @Override
        public Advance run(Connection connection) throws Exception {
            List<Change> all = new ArrayList<>(before);
            all.add(work.run(connection));
            return new Advance(incarnation.key(), FlowBehaviour.FLOW, all, null, outbox.asked(), null);
        }

        @Override
        public Duration longest() {
            return incarnation.runtime().transactionMax();
        }

        @Override
        public void committed() {
            incarnation.attempts().durable(before);
            outbox.handedBack(List.of());
            end(null);
        }

        @Override
        public void failed(Exception why) {
            outbox.handedBack(before);
            end(why);
        }

        @Override
        public void outdated(String why) {
            boolean died = incarnation.die(why);
            end(new Abandoned(why));
            if (died) {
                incarnation.runtime().engine().revive(incarnation.key());
            }
        }

        private void end(@Nullable Exception why) {
            guard.run(() -> errands.remove(this));
            done.complete(why);
        }
    }

    /** Statements of the user's, and everything that was held, in one transaction. Returns when that is durable. */
    void run(Strand strand, TransactionOperation.Work work) throws Exception {
        incarnation.writable();
        Errand errand = null;
        while (errand == null) {
            outbox.stopIfDraining(strand);
            awaitOthers();
            errand = guard.locked(() -> {
                strands.alive(strand);
                return errands.isEmpty() && outbox.underWay().isEmpty() ? begin(work) : null;
            });
        }
        Exception failure = incarnation.runtime().threads().await(errand.done);
        if (failure instanceof Abandoned) {
            throw new Unwound(String.valueOf(failure.getMessage()));
        }
        if (failure != null) {
            throw failure;
        }
    }

    private Errand begin(TransactionOperation.Work work) {
        Errand next = new Errand(outbox.handOut(), work);
        errands.add(next);
        incarnation.runtime().engine().transact(next);
        return next;
    }

    /** A workflow has one transaction at a time, and none overtakes what the code did before it. */
    private void awaitOthers() {
        outbox.awaitUnderWay();
        Errand other = guard.locked(() -> errands.isEmpty() ? null : errands.getFirst());
        if (other != null) {
            incarnation.runtime().threads().await(other.done);
        }
    }

    /** Whoever waits for one need not any more. Under the lock. */
    void abandon(String why) {
        guard.require();
        errands.forEach(errand -> errand.done.complete(new Abandoned(why)));
    }

    /** Under the lock. */
    boolean isEmpty() {
        guard.require();
        return errands.isEmpty();
    }
}
