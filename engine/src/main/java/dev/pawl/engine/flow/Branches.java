package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Branches of the code, and which of them count: all, or the one that was first. */
final class Branches {

    private final Scope scope;

    Branches(Scope scope) {
        this.scope = scope;
    }

    <T extends @Nullable Object> List<T> all(List<? extends Branch<? extends T>> branches) {
        return this.<Branch<? extends T>, T>map("all", List.copyOf(branches), branches.size(),
                (branch, body) -> body.run(branch));
    }

    <A extends @Nullable Object, T extends @Nullable Object> List<T> map(Collection<A> items, int atOnce,
            FlowContext.ItemBranch<A, T> branch) {
        if (atOnce < 1) {
            throw new ValidationFailed("at least one at a time, not " + atOnce);
        }
        return map("map", new ArrayList<>(items), atOnce, branch);
    }

    private <A extends @Nullable Object, T extends @Nullable Object> List<T> map(String kind, List<A> items, int atOnce,
            FlowContext.ItemBranch<A, T> branch) {
        String fork = scope.naming().id(kind);
        scope.replayUpdates(fork);
        return new Fork<A, T>(scope, fork, items, branch).all(atOnce, () -> scope.answerUpdates(fork));
    }

    /** What the first to come to something came to. Who that was is recorded, and later runs of the code run that one alone. */
    <T extends @Nullable Object> T first(List<? extends Branch<? extends T>> branches) {
        String fork = scope.naming().id("race");
        Payload header = Header.of("race", "rivals", Integer.toString(branches.size()));
        ActivityRecord decided = scope.reach(fork, header);
        Fork<Branch<? extends T>, T> rivals = new Fork<>(scope, fork, List.copyOf(branches),
                (branch, body) -> body.run(branch));
        if (decided != null) {
            Integer winner = scope.decode(decided.output(), Integer.class);
            skipLosers(rivals, branches.size(), winner);
            return rivals.only(winner);
        }
        int winner = rivals.first(() -> scope.answerUpdates(fork));
        List<Change> changes = new ArrayList<>();
        changes.add(new Advance.Do(Advance.operation(FlowBehaviour.FLOW, fork), header, scope.codec().encode(winner),
                new Request.Pass(false), null));
        for (int i = 0; i < branches.size(); i++) {
            if (i != winner) {
                scope.rollbacks().forget(rivals.path(i));
                scope.incarnation().progress().openBelow(rivals.path(i)).forEach(open -> changes
                        .add(new Advance.Drop(Advance.operation(FlowBehaviour.FLOW, open), false)));
            }
        }
        scope.hold(changes.toArray(Change[]::new));
        skipLosers(rivals, branches.size(), winner);
        return rivals.result(winner);
    }

    private void skipLosers(Fork<?, ?> rivals, int count, int winner) {
        for (int i = 0; i < count; i++) {
            if (i != winner) {
                scope.incarnation().progress().skip(rivals.path(i));
            }
        }
    }

    /** Runs one that a cancellation does not reach, on the same strand. */
    <T extends @Nullable Object> T shielded(Branch<T> branch) {
        FlowContext inner = new StrandContext(scope.shielded(scope.naming().id("shielded") + ":"));
        try {
            return branch.run(inner);
        } catch (Exception e) {
            throw BranchFailed.of(e);
        }
    }
}
