package dev.pawl.lab.torture.effect;

import dev.pawl.lab.torture.effect.EffectLog.Owned;
import dev.pawl.lab.torture.effect.EffectLog.Renewal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What must hold of attempts, whatever becomes of the processes that make them: none begins under a lease that may have run out, none is
 * repeated while the process of the one before it has a lease, nothing that is at most once is ever begun twice, and what has a verifier is
 * looked up before it is repeated.
 *
 * @param frozen whether processes were stopped for longer than their leases: only then may a lease run out, and what ran under it
 *        be repeated. Where processes end in order, an attempt is repeated only if it ran longer than its process waited for it.
 * @param shardOf the shard that a workflow is in
 */
public record AttemptRules(EffectLog log, Map<String, ProcessRecord> processes, boolean frozen,
        ToIntFunction<String> shardOf) {

    /** How long a renewal is under way at most. */
    private static final long RENEWAL_NANOS_MAX = 500_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    /** An end is durable so soon, on a machine that is busy. */
    private static final long DURABLE_NANOS_MAX = 2_000_000_000L;

    /** One line for each violation. */
    public List<String> violations() {
        List<String> violations = new ArrayList<>();
        Map<String, List<Attempt>> byPlace = new LinkedHashMap<>();
        for (Attempt attempt : log.attempts()) {
            // A transaction of the engine's is kept apart by its fence, and its body may run again.
            if (attempt.level() != Level.ENGINE_TRANSACTION) {
                if (!leased(attempt.process(), attempt.begunNanos())) {
                    violations.add("lease: began without one: " + attempt + history(attempt.process()));
                }
                byPlace.computeIfAbsent(attempt.place(), first -> new ArrayList<>()).add(attempt);
            }
        }
        byPlace.values().forEach(attempts -> repeated(attempts, violations));
        return violations;
    }

    private boolean leased(String process, long nanos) {
        return log.renewals(process).stream().anyMatch(renewal -> renewal.covers(nanos));
    }

    private String history(String process) {
        return ", " + record(process);
    }

    private ProcessRecord record(String process) {
        return Objects.requireNonNull(processes.get(process), process);
    }

    private void repeated(List<Attempt> attempts, List<String> violations) {
        attempts.sort(Comparator.comparingLong(Attempt::begunNanos));
        for (int i = 1; i < attempts.size(); i++) {
            Attempt again = attempts.get(i);
            // Those further back were judged when the one before was begun.
            Attempt before = attempts.get(i - 1);
            String wrong = again.level() == Level.AT_MOST_ONCE ? "is at most once" : wrong(before, again);
            if (!wrong.isEmpty()) {
                violations.add("repeated: " + again + " after " + before + ": " + wrong + history(before.process()));
            }
            if (again.level() == Level.RECONCILED && !looked(attempts.getFirst(), before, again)) {
                violations.add("repeated: " + again + " without a look");
            }
        }
    }

    /** Why an attempt must not have begun after another one; empty if it may. */
    private String wrong(Attempt before, Attempt again) {
        if (before.end() != null && !before.end().returned() && before.end().nanos() <= again.begunNanos()) {
            // It failed or was interrupted, and is tried again.
            return frozen || leftBehind(before) ? "" : "it threw";
        }
        if (before.process().equals(again.process())) {
            return forgotten(before, again) ? "" : "in the same process";
        }
        if (frozen) {
            return lapsed(before.process(), before.begunNanos(), again.begunNanos()) ? ""
                    : "the first one's process had a lease";
        }
        if (!leftBehind(before)) {
            return "the first one's process had time to end it";
        }
        return record(before.process()).gone(again.begunNanos())
                || lapsed(before.process(), before.begunNanos(), again.begunNanos())
                        ? ""
                        : "the first one's process was still there";
    }

    /**
     * A plain step is not declared: if another process has owned its shard in the meantime, because the lease of the first one ran out, no
     * owner knows of its first run. A process that keeps its shard, or has it back before another one took it, knows.
     */
    private boolean forgotten(Attempt before, Attempt again) {
        boolean plain = again.level() == Level.STEP || again.level() == Level.AT_LEAST_ONCE;
        return frozen && plain && lapsed(before.process(), before.begunNanos(), again.begunNanos())
                && ownedInBetween(before, again);
    }

    /** Whether some epoch between those of two attempts of one process was not that process's. */
    private boolean ownedInBetween(Attempt before, Attempt again) {
        List<Owned> owned = log.owned(shardOf.applyAsInt(before.workflow()));
        long first = epoch(owned, before);
        long last = epoch(owned, again);
        long own = owned.stream().filter(each -> each.process().equals(before.process()) && each.epoch() > first
                && each.epoch() < last).count();
        return last - first - 1 > own;
    }

    /** The epoch that an attempt was begun in: the last one that its process had heard of. */
    private static long epoch(List<Owned> owned, Attempt attempt) {
        return owned.stream()
                .filter(each -> each.process().equals(attempt.process()) && each.nanos() <= attempt.begunNanos())
                .mapToLong(Owned::epoch).max().orElse(0);
    }

    /**
     * Whether an attempt ran longer than its process waited for it when it was asked to end. Such a process says twice that it wants no share
     * any more: before it waits for its attempts, and when it gives its shards back.
     */
    boolean leftBehind(Attempt attempt) {
        List<Renewal> ending = log.renewals(attempt.process()).stream().filter(each -> !each.shares()).toList();
        return !ending.isEmpty() && underWay(attempt, ending.getLast().sentNanos()) && ending.getLast().sentNanos()
                - ending.getFirst().sentNanos() >= record(attempt.process()).drainNanos();
    }

    /** A transaction of the application's begins here when its statements do, and waits for a connection before that. */
    private static boolean underWay(Attempt attempt, long nanos) {
        return attempt.running(nanos) || (attempt.level() == Level.OWN_TRANSACTION && attempt.begunNanos() > nanos);
    }

    /** Whether the lease of a process had run out at some moment in between. */
    private boolean lapsed(String process, long fromNanos, long toNanos) {
        return lapses(process).anyMatch(each -> each.endNanos() >= fromNanos && each.endNanos() <= toNanos);
    }

    /** Whether the lease of its process ran out while an attempt was under way, or before its end can be expected to be durable. */
    boolean lapsed(Attempt attempt) {
        return lapses(attempt.process()).anyMatch(each -> each.nextNanos() >= attempt.begunNanos()
                && each.nextNanos() != NEVER
                && each.sentNanos() <= durableBy(attempt));
    }

    /** When the end of an attempt can be expected to be durable: while a transaction of its workflow is open, nothing else of it is. */
    private long durableBy(Attempt attempt) {
        if (attempt.end() == null) {
            return NEVER;
        }
        List<Attempt> transactions = log.attempts().stream()
                .filter(each -> each.level() == Level.ENGINE_TRANSACTION && each.workflow().equals(attempt.workflow())
                        && each.process().equals(attempt.process()))
                .sorted(Comparator.comparingLong(Attempt::begunNanos)).toList();
        long ended = attempt.end().nanos();
        for (Attempt transaction : transactions) {
            if (transaction.running(ended)) {
                ended = transaction.end() == null ? NEVER - DURABLE_NANOS_MAX : transaction.end().nanos();
            }
        }
        return ended + DURABLE_NANOS_MAX;
    }

    /** A renewal that was not followed by another one before it ran out. */
    private record Lapse(long sentNanos, long endNanos, long nextNanos) {
    }

    /** Whether a process was stopped while it sent a renewal: the store may not have it before the process goes on. */
    private boolean inDoubt(String process, Renewal renewal) {
        return record(process).freezes().stream().anyMatch(each -> each.stoppedNanos() >= renewal.sentNanos()
                && each.stoppedNanos() - renewal.sentNanos() <= RENEWAL_NANOS_MAX);
    }

    private Stream<Lapse> lapses(String process) {
        List<Renewal> renewals = log.renewals(process).stream().filter(each -> !inDoubt(process, each))
                .sorted(Comparator.comparingLong(Renewal::sentNanos)).toList();
        return IntStream.range(0, renewals.size())
                .mapToObj(i -> new Lapse(renewals.get(i).sentNanos(),
                        renewals.get(i).sentNanos() + renewals.get(i).ttlNanos(),
                        i + 1 < renewals.size() ? renewals.get(i + 1).sentNanos() : NEVER))
                .filter(each -> each.endNanos() <= each.nextNanos());
    }

    private boolean looked(Attempt first, Attempt before, Attempt again) {
        // Another process may have looked, declared an attempt and handed its shard on before that one began: then its look counts, if
        // nothing of the attempt before could happen any more.
        return log.looks(again.key()).stream().filter(look -> (look.process().equals(again.process())
                || record(before.process()).gone(look.nanos()))
                && look.nanos() > first.begunNanos() && look.nanos() <= again.begunNanos())
                .reduce((earlier, later) -> later).map(look -> !look.found()).orElse(false);
    }
}
