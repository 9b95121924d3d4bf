package dev.pawl.engine.limit;

import dev.pawl.engine.store.SlotKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Prolongs the slots that are held here, and gives back those that are not needed any more. */
final class Keeper {

    private static final Logger LOG = System.getLogger(Keeper.class.getName());
    private static final Duration REST = Duration.ofMillis(100);

    private final Pools owner;
    private final Duration ttl;
    private final Duration renewEvery;
    /** By namespace, like everything here; guarded by the lock of the pools. */
    private final Map<String, Set<SlotKey>> held = new HashMap<>();
    private final Map<String, Set<SlotKey>> ended = new HashMap<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean renewing;
    private boolean releasing;
    private long lost;

    Keeper(Pools owner, Duration ttl, Duration renewEvery) {
        this.owner = owner;
        this.ttl = ttl;
        this.renewEvery = renewEvery;
    }

    /** Only under the lock. */
    void hold(String namespace, List<SlotKey> slots) {
        if (!slots.isEmpty()) {
            held.computeIfAbsent(namespace, none -> new LinkedHashSet<>()).addAll(slots);
            if (!renewing) {
                renewing = true;
                owner.start("pawl-slots", this::renew);
            }
        }
    }

    /** Only under the lock. */
    void release(String namespace, List<SlotKey> slots) {
        if (!slots.isEmpty()) {
            remove(held, namespace, slots);
            ended.computeIfAbsent(namespace, none -> new LinkedHashSet<>()).addAll(slots);
            if (!releasing) {
                releasing = true;
                owner.start("pawl-slots-back", this::giveBack);
            }
        }
    }

    private static void remove(Map<String, Set<SlotKey>> all, String namespace, Collection<SlotKey> slots) {
        all.computeIfPresent(namespace, (same, rest) -> {
            rest.removeAll(slots);
            return rest.isEmpty() ? null : rest;
        });
    }

    private static Map<String, List<SlotKey>> copy(Map<String, Set<SlotKey>> all) {
        Map<String, List<SlotKey>> copy = new HashMap<>();
        all.forEach((namespace, slots) -> copy.put(namespace, List.copyOf(slots)));
        return copy;
    }

    /** Those that came together go together. */
    private void giveBack() {
        while (true) {
            Map<String, List<SlotKey>> all = owner.locked(() -> {
                releasing = !ended.isEmpty() && !owner.closed();
                return releasing ? copy(ended) : Map.<String, List<SlotKey>>of();
            });
            if (all.isEmpty()) {
                return;
            }
            all.forEach((namespace, slots) -> {
                Boolean done = owner.ask(store -> {
                    store.releaseSlots(namespace, slots);
                    return true;
                });
                if (done == null) {
                    owner.rest(closed, REST);
                } else {
                    owner.locked(() -> {
                        remove(ended, namespace, slots);
                        return true;
                    });
                    owner.nudge(namespace);
                }
            });
        }
    }

    /** As long as there is something to prolong. What the store does not say anything about is tried again. */
    private void renew() {
        while (owner.rest(closed, renewEvery)) {
            Map<String, List<SlotKey>> all = owner.locked(() -> {
                renewing = !held.isEmpty() && !owner.closed();
                return renewing ? copy(held) : Map.<String, List<SlotKey>>of();
            });
            if (all.isEmpty()) {
                return;
            }
            all.forEach((namespace, slots) -> {
                Set<SlotKey> renewed = owner.ask(store -> store.renewSlots(namespace, slots, ttl));
                if (renewed != null) {
                    missed(namespace, slots.stream().filter(slot -> !renewed.contains(slot)).toList());
                }
            });
        }
    }

    /** Somebody else may have the slot by now, and both run: that is said, and nothing is stopped for it. */
    private void missed(String namespace, List<SlotKey> slots) {
        List<SlotKey> missing = new ArrayList<>();
        owner.locked(() -> {
            Set<SlotKey> still = held.getOrDefault(namespace, Set.of());
            slots.stream().filter(still::contains).forEach(missing::add);
            remove(held, namespace, missing);
            lost += missing.size();
            return true;
        });
        missing.forEach(slot -> LOG.log(Level.WARNING, slot.holder() + " has lost its slot of " + slot.pool()
                + ", because it was not prolonged in time, and still runs"));
    }

    long lost() {
        return owner.locked(() -> lost);
    }

    /** Everything was given back. */
    boolean settled() {
        return owner.locked(ended::isEmpty);
    }

    void close() {
        closed.complete(null);
    }
}
