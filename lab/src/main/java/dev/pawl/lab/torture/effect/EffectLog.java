package dev.pawl.lab.torture.effect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Everything the {@link EffectServer} was told: attempts, effects, looks of verifiers and renewals of leases. Safe for use by many threads. */
public final class EffectLog {

    private final List<Attempt> attempts = new ArrayList<>();
    private final Map<String, List<Effect>> effects = new LinkedHashMap<>();
    private final Map<String, List<Look>> looks = new HashMap<>();
    private final Map<String, List<Renewal>> renewals = new HashMap<>();
    private final Map<Integer, List<Owned>> owned = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private volatile Consumer<Attempt> listener = attempt -> {};

    /** Something that has happened in the outside world; {@code value} is what its receiver answered. */
    public record Effect(Attempt by, String value, long nanos) {
    }

    /** A verifier has asked for a key. */
    public record Look(String process, long nanos, boolean found) {
    }

    /**
     * A process has renewed its lease: the renewal was sent then, and lasts so long.
     *
     * @param shares false once it has begun to end: from then on it waits for its attempts
     */
    public record Renewal(long sentNanos, long ttlNanos, boolean shares) {

        boolean covers(long nanos) {
            return sentNanos <= nanos && nanos - sentNanos < ttlNanos;
        }
    }

    /** A process was told then that a shard is its own in this epoch. */
    public record Owned(String process, long epoch, long nanos) {
    }

    /** Hears of every attempt that begins, on the thread that reports it. */
    public void onBegin(Consumer<Attempt> newListener) {
        listener = newListener;
    }

    /** The function runs; returns the number of the run. */
    int begun(String process, String workflow, String operation, Level level, int attempt, String key, long nanos) {
        Attempt begun;
        synchronized (this) {
            begun = new Attempt(attempts.size() + 1, process, workflow, operation, level, attempt, key, nanos, null);
            attempts.add(begun);
        }
        listener.accept(begun);
        return begun.number();
    }

    /** An effect happens, unless its receiver knows the key: then it answers as it did before. */
    synchronized String happened(int number, long nanos) {
        Attempt by = attempts.get(number - 1);
        List<Effect> known = effects.computeIfAbsent(by.key(), first -> new ArrayList<>());
        if (by.level() == Level.IDEMPOTENT && !known.isEmpty()) {
            return known.getFirst().value();
        }
        String value = "run" + number;
        known.add(new Effect(by, value, nanos));
        return value;
    }

    synchronized void ended(int number, long nanos, boolean returned) {
        attempts.set(number - 1, attempts.get(number - 1).ended(nanos, returned));
    }

    /** What the effect with this key has come to; empty if there is none. */
    synchronized String look(String process, String key, long nanos) {
        List<Effect> known = effects.getOrDefault(key, List.of());
        looks.computeIfAbsent(key, first -> new ArrayList<>()).add(new Look(process, nanos, !known.isEmpty()));
        return known.isEmpty() ? "" : known.getFirst().value();
    }

    synchronized void renewed(String process, long sentNanos, long ttlNanos, boolean shares) {
        renewals.computeIfAbsent(process, first -> new ArrayList<>()).add(new Renewal(sentNanos, ttlNanos, shares));
    }

    synchronized void owned(String process, int shard, long epoch, long nanos) {
        owned.computeIfAbsent(shard, first -> new ArrayList<>()).add(new Owned(process, epoch, nanos));
    }

    synchronized List<Owned> owned(int shard) {
        return List.copyOf(owned.getOrDefault(shard, List.of()));
    }

    synchronized void note(String text) {
        notes.add(text);
    }

    public synchronized List<Attempt> attempts() {
        return List.copyOf(attempts);
    }

    /** By their keys. */
    synchronized Map<String, List<Effect>> effects() {
        Map<String, List<Effect>> copy = new LinkedHashMap<>();
        effects.forEach((key, all) -> copy.put(key, List.copyOf(all)));
        return copy;
    }

    synchronized List<Look> looks(String key) {
        return List.copyOf(looks.getOrDefault(key, List.of()));
    }

    synchronized List<Renewal> renewals(String process) {
        return List.copyOf(renewals.getOrDefault(process, List.of()));
    }

    /** Whether a process has had a lease. */
    public synchronized boolean leased(String process) {
        return renewals.containsKey(process);
    }

    /** Everything, one line each, for people who look for the cause of a violation. */
    public synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        attempts.forEach(each -> lines.add(each.toString()));
        effects.values().forEach(all -> all.forEach(each -> lines.add("effect " + each.value() + " at "
                + each.nanos() / 1_000_000 + " ms by " + each.by().place())));
        looks.forEach((key, all) -> all.forEach(each -> lines.add("look for " + key + " by " + each.process() + " at "
                + each.nanos() / 1_000_000 + " ms: " + (each.found() ? "found" : "nothing"))));
        renewals.forEach((process, all) -> all.forEach(each -> lines.add("renewal of " + process + " at "
                + each.sentNanos() / 1_000_000 + " ms" + (each.shares() ? "" : ", ending"))));
        owned.forEach((shard, all) -> all.forEach(each -> lines.add("shard " + shard + " is owned by " + each.process()
                + " in epoch " + each.epoch() + " from " + each.nanos() / 1_000_000 + " ms")));
        lines.addAll(notes);
        return lines;
    }

    /** How many attempts are under way in a process now. */
    public synchronized long running(String process) {
        return attempts.stream().filter(each -> each.process().equals(process) && each.end() == null).count();
    }
}
