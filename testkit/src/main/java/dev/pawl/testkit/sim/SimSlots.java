package dev.pawl.testkit.sim;

import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.Slots;
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

    SlotGrant acquire(String namespace, String process, List<SlotPool> pools, List<SlotHolder> holders) {
        Instant now = clock.instant();
        if (!flaws.contains(Flaw.KEEPS_SLOTS_FOR_EVER)) {
            tables.slots.values().removeIf(row -> !row.slot().expiresAt().isAfter(now));
        }
        tables.nextProcesses.values().removeIf(next -> !next.until().isAfter(now));
        for (SlotPool pool : pools) {
            tables.pools.put(place(namespace, pool.name(), pool.kind()), pool);
            holders.forEach(holder -> tables.slots.remove(key(namespace, pool.name(), pool.kind(), holder.name())));
        }
        List<Integer> rooms = pools.stream().map(pool -> room(namespace, process, pool)).toList();
        int granted = rooms.stream().reduce(holders.size(), Math::min);
        Duration wait = Duration.ZERO;
        for (int i = 0; i < pools.size(); i++) {
            SlotPool pool = pools.get(i);
            boolean next = takeTurns(namespace, process, pool, granted, rooms.get(i));
            if (rooms.get(i) < holders.size()) {
                Duration until = next ? Slots.NEXT : held(namespace, pool.name(), pool.kind())
                        .map(HeldSlot::expiresAt).min(Comparator.naturalOrder())
                        .map(expiry -> Duration.between(now, expiry)).orElse(Duration.ZERO);
                wait = wait.compareTo(until) > 0 ? wait : until;
            }
            int taken = flaws.contains(Flaw.TAKES_SLOTS_SINGLY) ? Math.min(rooms.get(i), holders.size()) : granted;
            take(namespace, process, pool, holders.subList(0, taken), now);
        }
        return new SlotGrant(granted, granted == holders.size() ? null : wait);
    }

    private int room(String namespace, String process, SlotPool pool) {
        SimTables.NextProcess next = tables.nextProcesses.get(place(namespace, pool.name(), pool.kind()));
        int kept = next != null && !next.name().equals(process) && !flaws.contains(Flaw.LETS_PROCESSES_STARVE) ? 1 : 0;
        int max = pool.max() + (flaws.contains(Flaw.OVERFILLS_POOLS) ? 1 : 0);
        return Math.max(0, max - kept - (int) held(namespace, pool.name(), pool.kind()).count());
    }

    private boolean takeTurns(String namespace, String process, SlotPool pool, int granted, int room) {
        String place = place(namespace, pool.name(), pool.kind());
        SimTables.NextProcess next = tables.nextProcesses.get(place);
        boolean own = next != null && next.name().equals(process);
        boolean others = held(namespace, pool.name(), pool.kind()).anyMatch(slot -> !slot.process().equals(process));
        if (granted == 0 && (own || (next == null && room == 0 && others))) {
            tables.nextProcesses.put(place, new SimTables.NextProcess(process, clock.instant().plus(Slots.KEPT)));
            return true;
        }
        if (own) {
            tables.nextProcesses.remove(place);
        }
        return false;
    }

    private void take(String namespace, String process, SlotPool pool, List<SlotHolder> holders, Instant now) {
        for (SlotHolder holder : holders) {
            tables.slots.put(key(namespace, pool.name(), pool.kind(), holder.name()), new SimTables.SlotRow(namespace,
                    new HeldSlot(pool.name(), pool.kind(), holder, process, now.plus(pool.lasts()))));
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
                        new HeldSlot(slot.pool(), SlotPool.Kind.CONCURRENT, row.slot().holder(), row.slot().process(),
                                now.plus(ttl))));
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
