package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one incarnation whose end is not durable yet. Each that is declared is answered for: its end becomes durable by a
 * commit of this incarnation, or its outcome is sent to the next one, wherever that runs. So another owner may wait for it as long as this
 * process has a lease. Runs of plain steps are declared late or never; if this incarnation dies, the next one in this process takes
 * them over ({@link LeftRuns}).
 */
final class Attempts {

    /** No operation has this id. */
    private static final String NONE = "";

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    // Under the lock.
    private final Map<String, Attempt> open = new LinkedHashMap<>();
    /** How many outcomes are to be sent, and not handed to the courier yet. */
    private int unsent;

    /** An attempt; begun when its function may have run. */
    private static final class Attempt {

        private final int number;
        private final String runner;
        /** What declares it; null if it is declared, or about to be. */
        private Advance.@Nullable Begin undeclared;
        private boolean begun;
        /** Its end is in the last commit of a flow that is parked: as long as that may hold, no one else has to be told. */
        private boolean entrusted;
        private @Nullable Interruption interruption;
        private @Nullable AttemptOutcome outcome;
        private final CompletableFuture<AttemptOutcome> end;
        /** Left for the next incarnation in this process. */
        private boolean left;

        Attempt(int number, String runner) {
            this(number, runner, null, new CompletableFuture<>());
        }

        private Attempt(int number, String runner, Advance.@Nullable Begin undeclared,
                CompletableFuture<AttemptOutcome> end) {
            this.number = number;
            this.runner = runner;
            this.undeclared = undeclared;
            this.end = end;
        }

        static Attempt undeclared(Advance.Begin declaration, CompletableFuture<AttemptOutcome> end) {
            return new Attempt(1, ((Request.Local) declaration.request()).runner(), declaration, end);
        }

        /** Its branch has lost a race: if that is durable, no code will ask for it. */
        boolean lost() {
            return interruption != null && interruption.strand().detached();
        }
    }

    /** What has to be sent, because no commit of this incarnation will say it. */
    record Orphan(String operation, String runner, AttemptOutcome outcome) {
    }

    Attempts(Incarnation incarnation, Guard guard, Strands strands) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
    }

    /** Changes are on their way to be committed. Under the lock. */
    void submitted(Collection<Change> changes) {
        guard.require();
        for (Change change : changes) {
            if (change instanceof Advance.Begin begin && begin.request() instanceof Request.Local local) {
                declared(begin.operation().activity(), local.runner());
            } else if (change instanceof Advance.Retry retry) {
                open.put(change.operation().activity(), new Attempt(retry.attempt(), retry.runner()));
            }
        }
    }

    /** One that has not begun, or that runs already. */
    private void declared(String operation, String runner) {
        Attempt running = open.get(operation);
        if (running != null && running.runner.equals(runner)) {
            running.undeclared = null;
        } else {
            open.put(operation, new Attempt(1, runner));
        }
    }

    /** Changes are durable: attempts that have ended by them, or whose failure is recorded by the wait after it, need no answer. */
    void durable(Collection<Change> changes) {
        guard.run(() -> changes.forEach(change -> open.remove(ends(change))));
    }

    /** The operation whose attempt is over by a change, or would be. */
    private static String ends(Change change) {
        String id = change.operation().activity();
        return switch (change) {
            case Advance.Finish finish -> id;
            case Advance.Ran ran -> id;
            case Advance.Drop drop -> id;
            case Advance.Begin begin when !Journal.paused(id).equals(id) -> Journal.paused(id);
            case Advance.Begin begin -> NONE;
            case Advance.Do once -> NONE;
            case Advance.Retry retry -> NONE;
        };
    }

    /** Changes are the last that this incarnation hands in: their outcomes would only wake the flow that is parked by them. Under the lock. */
    void entrust(Collection<Change> changes) {
        guard.require();
        for (Change change : changes) {
            Attempt attempt = open.get(ends(change));
            if (attempt != null) {
                attempt.entrusted = true;
            }
        }
    }

    /** What was entrusted to the last commit is sent after all: that commit will not be. */
    void reclaim() {
        List<Orphan> orphans = guard.locked(() -> {
            open.values().forEach(attempt -> attempt.entrusted = false);
            return orphans();
        });
        send(orphans);
    }

    /** To be called with what {@link #orphans} has returned, without the lock. */
    void send(List<Orphan> orphans) {
        incarnation.runtime().couriers().send(incarnation.workflow(), orphans);
        guard.run(() -> unsent -= orphans.size());
    }

    /**
     * The function is about to run; ends the strand if it must not any more.
     *
     * @param undeclared what declares the attempt, if that has not been done
     * @param optional whether the attempt is stopped before it begins if the flow is to end; not so if the one before it may have happened
     * @return false if it must not begin, because it is not declared and the shard is about to be handed over
     */
    boolean begin(Scope scope, String operation, Advance.@Nullable Begin undeclared, Interruption interruption,
            boolean optional) {
        boolean[] begins = {true};
        String why = guard.locked(() -> {
            strands.alive(scope.strand());
            Attempt attempt = open.get(operation);
            if (attempt == null && undeclared != null) {
                if (incarnation.outbox().draining()) {
                    begins[0] = false;
                    return null;
                }
                attempt = Attempt.undeclared(undeclared, new CompletableFuture<>());
                open.put(operation, attempt);
            }
            if (attempt != null) {
                attempt.begun = true;
                attempt.outcome = null;
                attempt.interruption = interruption;
            }
            return scope.cancelled();
        });
        if (why != null && optional) {
            interruption.stop(why);
        }
        return begins[0];
    }

    /** Goes on with a run that an earlier incarnation has left; returns what is complete when it has ended. */
    CompletableFuture<Void> takeOver(Scope scope, LeftRuns.Run run, Interruption interruption) {
        String why = guard.locked(() -> {
            strands.alive(scope.strand());
            Attempt attempt = Attempt.undeclared(run.declaration(), run.end());
            attempt.begun = true;
            attempt.interruption = interruption;
            open.put(run.operation(), attempt);
            return scope.cancelled();
        });
        if (why != null) {
            interruption.stop(why);
        }
        return run.end().thenAccept(outcome -> ended(run.operation(), outcome));
    }

    /** What declares the runs that are not declared and have not ended. Under the lock. */
    List<Change> undeclared() {
        guard.require();
        List<Change> declarations = new ArrayList<>();
        for (Attempt attempt : open.values()) {
            if (attempt.undeclared != null && attempt.outcome == null && !attempt.left && !attempt.lost()) {
                declarations.add(attempt.undeclared);
            }
        }
        return declarations;
    }

    /** Whether everything that runs, or whose end is not durable, is declared. Under the lock. */
    boolean allDeclared() {
        guard.require();
        return open.values().stream()
                .allMatch(attempt -> attempt.undeclared == null || attempt.left || attempt.lost());
    }

    /** These changes cannot be recorded: steps that were not declared have to run again. */
    void giveUp(Collection<Change> changes) {
        guard.run(() -> changes.stream().filter(Advance.Ran.class::isInstance)
                .forEach(change -> open.remove(change.operation().activity())));
    }

    /** Stops attempts that run on some strands, unless they are shielded. */
    void stop(String why, Predicate<Strand> which) {
        on(which).values().forEach(each -> each.stop(why));
    }

    /** How to stop the attempts that run on some strands, by their operations; without those that are shielded. */
    Map<String, Interruption> on(Predicate<Strand> which) {
        Map<String, Interruption> running = new LinkedHashMap<>();
        guard.run(() -> open.forEach((operation, attempt) -> {
            Interruption interruption = attempt.begun && attempt.outcome == null ? attempt.interruption : null;
            if (interruption != null && !interruption.shielded() && which.test(interruption.strand())) {
                running.put(operation, interruption);
            }
        }));
        return running;
    }

    /** The function has ended. If this incarnation is dead, the next one hears of it. */
    void ended(String operation, AttemptOutcome outcome) {
        List<CompletableFuture<AttemptOutcome>> ends = new ArrayList<>();
        List<Orphan> orphans = guard.locked(() -> {
            Attempt attempt = open.get(operation);
            if (attempt == null) {
                return List.<Orphan>of();
            }
            attempt.outcome = outcome;
            ends.add(attempt.end);
            if (attempt.undeclared != null && (outcome instanceof AttemptOutcome.NotBegun
                    || outcome instanceof AttemptOutcome.Lost)) {
                open.remove(operation);
                return List.<Orphan>of();
            }
            // Nothing of this incarnation will record what is lost, whether it is alive or not.
            return strands.dead() || outcome instanceof AttemptOutcome.Lost ? orphans() : List.<Orphan>of();
        });
        ends.forEach(end -> end.complete(outcome));
        send(orphans);
        incarnation.runtime().settled(incarnation);
    }

    /**
     * Those whose outcome is known and that this incarnation will not record any more. No one waits for the others of a dead incarnation
     * that were not declared: they are left for the next one. Under the lock.
     */
    List<Orphan> orphans() {
        guard.require();
        List<Orphan> orphans = new ArrayList<>();
        open.forEach((operation, attempt) -> {
            AttemptOutcome outcome = attempt.begun ? attempt.outcome : new AttemptOutcome.NotBegun();
            if (attempt.undeclared != null) {
                leave(attempt);
            } else if (outcome != null && !attempt.entrusted) {
                orphans.add(new Orphan(operation, attempt.runner, outcome));
            }
        });
        orphans.forEach(orphan -> open.remove(orphan.operation()));
        unsent += orphans.size();
        return orphans;
    }

    private void leave(Attempt attempt) {
        if (strands.dead() && !attempt.entrusted && !attempt.left && attempt.undeclared != null
                && attempt.interruption != null) {
            attempt.left = true;
            incarnation.runtime().leftRuns().add(incarnation.key(), new LeftRuns.Run(incarnation.shard(),
                    incarnation.workflow().createdAt(), attempt.undeclared, attempt.interruption, attempt.end));
        }
    }

    /** No one will ask for them: the workflow is over, or all that is known of them is durable. Under the lock. */
    void forget() {
        guard.require();
        open.clear();
    }

    /** Whether no function runs here, and the courier has every outcome that is to be sent. */
    boolean settled() {
        return guard.locked(() -> unsent == 0
                && open.values().stream().noneMatch(attempt -> attempt.begun && attempt.outcome == null));
    }

    /** Operations whose functions run here at the moment. */
    List<String> running() {
        return guard.locked(() -> open.entrySet().stream()
                .filter(each -> each.getValue().begun && each.getValue().outcome == null)
                .map(each -> each.getKey() + " attempt " + each.getValue().number).toList());
    }
}
