package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Branches of the code, and which of them count: all, or the one that was first. */
final class Branches {

    /** Branches hear of the end themselves: what one of them does until it has ended must be known when it is taken back. */
    private static final Waiting.Handling NOTHING_ELSE = () -> false;

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
        return new Fork<A, T>(scope, fork, items, branch).all(atOnce, NOTHING_ELSE);
    }

    /** What the first to come to something came to. Who that was is recorded, and later runs of the code run that one alone. */
    <T extends @Nullable Object> T first(List<? extends Branch<? extends T>> branches) {
        if (branches.isEmpty()) {
            throw new ValidationFailed("a race needs at least one branch, but this one has none: it would never end");
        }
        String fork = scope.naming().id("race");
        Payload header = Header.of("race", "rivals", Integer.toString(branches.size()));
        ActivityRecord decided = scope.reach(fork, header);
        Fork<Branch<? extends T>, T> rivals = new Fork<>(scope, fork, List.copyOf(branches),
                (branch, body) -> body.run(branch));
        if (decided != null) {
            int winner = RecordJson.number(decided.output());
            skipLosers(rivals, branches.size(), winner);
            return rivals.only(winner);
        }
        Fork.Won won = rivals.first(NOTHING_ELSE);
        int winner = won.branch();
        List<Change> changes = new ArrayList<>();
        changes.add(new Advance.Do(FlowBehaviour.operation(fork), header, RecordJson.literal(winner),
                new Request.Pass(false), null));
        for (int i = 0; i < branches.size(); i++) {
            if (i != winner) {
                scope.rollbacks().forget(rivals.path(i));
                changes.addAll(cutOff(rivals.path(i), won.unused()));
            }
        }
        decide(changes.toArray(Change[]::new), won.running());
        skipLosers(rivals, branches.size(), winner);
        settle(won.running());
        return rivals.result(winner);
    }

    /**
     * What runs in other branches is interrupted when it is durable who has won, and not before: if that never becomes durable, another run
     * of the code may take such an attempt for one that has failed by itself.
     */
    private void decide(Change[] changes, Map<String, Interruption> running) {
        if (running.isEmpty()) {
            scope.hold(changes);
        } else {
            scope.commit(changes);
            running.values().forEach(each -> each.stop(Strands.LOST));
        }
    }

    /** Drops what a branch has open, and gives back the signals it has not used: in the commit that says who has won. */
    private List<Change> cutOff(String path, Map<String, String> unused) {
        Progress progress = scope.incarnation().progress();
        Set<String> dropped = new LinkedHashSet<>(progress.openBelow(path));
        unused.keySet().stream().filter(hook -> hook.startsWith(path) && progress.begun(hook)).forEach(dropped::add);
        return dropped.stream().<Change>map(id -> new Advance.Drop(FlowBehaviour.operation(id), false,
                null, unused.get(id))).toList();
    }

    /** Waits until the attempts have ended that have an effect to be known of, but not for long, and records what is known then. */
    private void settle(Map<String, Interruption> stopped) {
        stopped.values().removeIf(each -> !each.keyed());
        if (stopped.isEmpty()) {
            return;
        }
        scope.incarnation().waiting().forTurn(scope.strand(),
                CompletableFuture.allOf(stopped.values().stream().map(Interruption::known)
                        .toArray(CompletableFuture[]::new)),
                () -> false, scope.runtime().cancelGrace());
        stopped.forEach((id, attempt) -> {
            Effect effect = attempt.known().getNow(null);
            if (effect != null) {
                scope.hold(new Advance.Do(FlowBehaviour.operation(Journal.lostEnd(id)),
                        Header.of("effect"), Payload.EMPTY, new Request.Pass(false), null, effect));
            }
        });
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
