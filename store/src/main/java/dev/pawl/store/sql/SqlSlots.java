package dev.pawl.store.sql;

import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.kernel.event.Json;
import dev.pawl.store.row.FreeText;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows of pools and slots. Each method runs in a transaction of the caller's. */
final class SqlSlots {

    /** In one order everywhere, so that nobody waits for somebody who waits for him. */
    private static final Comparator<SlotPool> ORDER =
            Comparator.comparing(SlotPool::name).thenComparing(SlotPool::kind);

    private SqlSlots() {
    }

    private record Size(int max, long lastsMillis) {
    }

    private record Count(int held, long nextInMillis) {
    }

    static SlotGrant acquire(Session session, String namespace, List<SlotPool> pools, List<SlotHolder> holders)
            throws SQLException {
        String own = holders.stream().map(holder -> Json.object().put("holder", FreeText.column(holder.name())).end())
                .collect(Collectors.joining(",", "[", "]"));
        int granted = holders.size();
        long retryAfter = 0;
        for (SlotPool pool : pools.stream().sorted(ORDER).toList()) {
            lock(session, namespace, pool);
            session.update("forget_slots", namespace, pool.name(), pool.kind().name(), own);
            Count count = Objects.requireNonNull(session.first("count_slots",
                    row -> new Count(row.getInt("held"), row.getLong("next_in")), namespace, pool.name(),
                    pool.kind().name()));
            int room = Math.max(0, pool.max() - count.held());
            granted = Math.min(granted, room);
            if (room < holders.size() && count.held() > 0) {
                retryAfter = Math.max(retryAfter, count.nextInMillis());
            }
        }
        for (SlotHolder holder : holders.subList(0, granted)) {
            for (SlotPool pool : pools) {
                session.update("take_slot", namespace, pool.name(), pool.kind().name(), FreeText.column(holder.name()),
                        FreeText.column(holder.fairKey()), pool.lasts().toMillis());
            }
        }
        return new SlotGrant(granted, granted == holders.size() ? null : Duration.ofMillis(Math.max(0, retryAfter)));
    }

    private static void lock(Session session, String namespace, SlotPool pool) throws SQLException {
        Size asked = new Size(pool.max(), pool.lasts().toMillis());
        Size known = session.first("lock_pool", row -> new Size(row.getInt("slots_max"), row.getLong("lasts_millis")),
                namespace, pool.name(), pool.kind().name());
        if (!asked.equals(known)) {
            session.update("put_pool", namespace, pool.name(), pool.kind().name(), asked.max(), asked.lastsMillis());
        }
    }

    static Set<SlotKey> renew(Session session, String namespace, Collection<SlotKey> slots, Duration ttl)
            throws SQLException {
        return Set.copyOf(session.query("renew_slots",
                row -> new SlotKey(row.getString("pool"), FreeText.text(row.getString("holder"))), namespace,
                json(slots), ttl.toMillis()));
    }

    static int release(Session session, String namespace, Collection<SlotKey> slots) throws SQLException {
        return session.update("release_slots", namespace, json(slots));
    }

    static List<PoolUse> pools(Session session, String namespace) throws SQLException {
        return session.query("pools", row -> new PoolUse(
                new SlotPool(row.getString("pool"), SlotPool.Kind.valueOf(row.getString("kind")),
                        row.getInt("slots_max"), Duration.ofMillis(row.getLong("lasts_millis"))),
                row.getInt("held")), namespace);
    }

    static List<HeldSlot> slots(Session session, String namespace, String pool, int limit) throws SQLException {
        return session.query("slots", row -> new HeldSlot(pool, SlotPool.Kind.valueOf(row.getString("kind")),
                new SlotHolder(FreeText.text(row.getString("holder")), FreeText.text(row.getString("fair_key"))),
                Columns.instant(row, "expires_at")), namespace, pool, limit);
    }

    private static String json(Collection<SlotKey> slots) {
        return slots.stream()
                .map(slot -> Json.object().put("holder", FreeText.column(slot.holder())).put("pool", slot.pool()).end())
                .collect(Collectors.joining(",", "[", "]"));
    }
}
