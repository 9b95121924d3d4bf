package dev.pawl.testkit.sim;

import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Slots and their rules, judged by the store's clock. */
final class SimSlots {

    private final SimTables tables;
    private final InstantSource clock;
    private final Set<Flaw> flaws;

    SimSlots(SimTables tables, InstantSource clock, Set<Flaw> flaws) {
        this.tables = tables;
        this.clock = clock;
        this.flaws = flaws;
    }

    SlotGrant acquire(String namespace, List<SlotPool> pools, List<SlotHolder> holders) {
        Instant now = clock.instant();
        if (!flaws.contains(Flaw.KEEPS_SLOTS_FOR_EVER)) {
            tables.slots.values().removeIf(row -> !row.slot().expiresAt().isAfter(now));
        }
        int granted = holders.size();
        Duration wait = Duration.ZERO;
        for (SlotPool pool : pools) {
            tables.pools.put(place(namespace, pool.name(), pool.kind()), pool);
            holders.forEach(holder -> tables.slots.remove(key(namespace, pool.name(), pool.kind(), holder.name())));
            List<HeldSlot> held = held(namespace, pool.name(), pool.kind()).toList();
            int room = Math.max(0, pool.max() + (flaws.contains(Flaw.OVERFILLS_POOLS) ? 1 : 0) - held.size());
            granted = Math.min(granted, room);
            if (room < holders.size()) {
                Duration next = held.stream().map(HeldSlot::expiresAt).min(Comparator.naturalOrder())
                        .map(until -> Duration.between(now, until)).orElse(Duration.ZERO);
                wait = wait.compareTo(next) > 0 ? wait : next;
            }
            if (flaws.contains(Flaw.TAKES_SLOTS_SINGLY)) {
                take(namespace, pool, holders.subList(0, Math.min(room, holders.size())), now);
            }
        }
        for (SlotPool pool : pools) {
            take(namespace, pool, holders.subList(0, granted), now);
        }
        return new SlotGrant(granted, granted == holders.size() ? null : wait);
    }

    private void take(String namespace, SlotPool pool, List<SlotHolder> holders, Instant now) {
        for (SlotHolder holder : holders) {
            tables.slots.put(key(namespace, pool.name(), pool.kind(), holder.name()), new SimTables.SlotRow(namespace,
                    new HeldSlot(pool.name(), pool.kind(), holder, now.plus(pool.lasts()))));
        }
    }

    Set<SlotKey> renew(String namespace, Collection<SlotKey> slots, Duration ttl) {
        Instant now = clock.instant();
        Set<SlotKey> renewed = new HashSet<>();
        for (SlotKey slot : slots) {
            String key = key(namespace, slot.pool(), SlotPool.Kind.CONCURRENT, slot.holder());
            SimTables.SlotRow row = tables.slots.get(key);
            if (row != null && (row.slot().expiresAt().isAfter(now) || flaws.contains(Flaw.RENEWS_LOST_SLOTS))) {
                renewed.add(slot);
                tables.slots.put(key, new SimTables.SlotRow(namespace,
                        new HeldSlot(slot.pool(), SlotPool.Kind.CONCURRENT, row.slot().holder(), now.plus(ttl))));
            }
        }
        return renewed;
    }

    boolean release(String namespace, Collection<SlotKey> slots) {
        for (SlotKey slot : slots) {
            tables.slots.remove(key(namespace, slot.pool(), SlotPool.Kind.CONCURRENT, slot.holder()));
            if (flaws.contains(Flaw.RELEASES_RATES)) {
                tables.slots.remove(key(namespace, slot.pool(), SlotPool.Kind.RATE, slot.holder()));
            }
        }
        return true;
    }

    List<PoolUse> pools(String namespace) {
        return tables.pools.entrySet().stream().filter(each -> each.getKey().startsWith(namespace + "/"))
                .map(each -> new PoolUse(each.getValue(),
                        (int) live(namespace, each.getValue().name(), each.getValue().kind()).count()))
                .toList();
    }

    List<HeldSlot> slots(String namespace, String pool, int limit) {
        return Stream.of(SlotPool.Kind.values()).flatMap(kind -> live(namespace, pool, kind)).limit(limit).toList();
    }

    private Stream<HeldSlot> live(String namespace, String pool, SlotPool.Kind kind) {
        return held(namespace, pool, kind).filter(slot -> slot.expiresAt().isAfter(clock.instant()));
    }

    private Stream<HeldSlot> held(String namespace, String pool, SlotPool.Kind kind) {
        return tables.slots.values().stream()
                .filter(row -> row.namespace().equals(namespace) || flaws.contains(Flaw.MIXES_POOLS))
                .map(SimTables.SlotRow::slot)
                .filter(slot -> slot.pool().equals(pool) && slot.kind() == kind);
    }

    private static String place(String namespace, String pool, SlotPool.Kind kind) {
        return namespace + "/" + pool + "/" + kind;
    }

    private static String key(String namespace, String pool, SlotPool.Kind kind, String holder) {
        return place(namespace, pool, kind) + "/" + holder;
    }
}
