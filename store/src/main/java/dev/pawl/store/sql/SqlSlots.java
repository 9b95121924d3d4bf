package dev.pawl.store.sql;

import dev.pawl.engine.store.HeldSlot;
import dev.pawl.engine.store.PoolUse;
import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import dev.pawl.engine.store.Slots;
import dev.pawl.kernel.event.Json;
import dev.pawl.store.row.FreeText;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of pools and slots. Each method runs in a transaction of the caller's. */
final class SqlSlots {

    /** In one order everywhere, so that nobody waits for somebody who waits for him. */
    private static final Comparator<SlotPool> ORDER =
            Comparator.comparing(SlotPool::name).thenComparing(SlotPool::kind);

    private SqlSlots() {
    }

    /** A pool while its row is held. */
    private record Locked(SlotPool pool, @Nullable Row row, int held, int heldElsewhere, long nextInMillis) {

        @Nullable String next() {
            return row == null ? null : row.next();
        }

        /** Without the one that is kept for somebody else. */
        int room(String process) {
            int kept = next() != null && !process.equals(next()) ? 1 : 0;
            return Math.max(0, pool.max() - held - kept);
        }
    }

    private record Row(int max, long lastsMillis, @Nullable String next, long nextForMillis) {
    }

    static SlotGrant acquire(Session session, String namespace, String process, List<SlotPool> pools,
            List<SlotHolder> holders) throws SQLException {
        String own = holders.stream().map(holder -> Json.object().put("holder", FreeText.column(holder.name())).end())
                .collect(Collectors.joining(",", "[", "]"));
        List<Locked> locked = new ArrayList<>();
        for (SlotPool pool : pools.stream().sorted(ORDER).toList()) {
            locked.add(lock(session, namespace, process, pool, own));
        }
        int granted = locked.stream().mapToInt(pool -> pool.room(process)).reduce(holders.size(), Math::min);
        for (SlotHolder holder : holders.subList(0, granted)) {
            for (SlotPool pool : pools) {
                session.update("take_slot", namespace, pool.name(), pool.kind().name(), FreeText.column(holder.name()),
                        process, FreeText.column(holder.fairKey()), pool.lasts().toMillis());
            }
        }
        long retryAfter = 0;
        for (Locked pool : locked) {
            boolean next = takeTurns(session, namespace, process, pool, granted);
            if (pool.room(process) < holders.size() && pool.held() > 0) {
                long wait = next ? Math.min(Slots.NEXT.toMillis(), pool.nextInMillis()) : pool.nextInMillis();
                retryAfter = Math.max(retryAfter, wait);
            }
        }
        return new SlotGrant(granted, granted == holders.size() ? null : Duration.ofMillis(retryAfter));
    }

    /**
     * Whether a slot of the pool is kept for this process from now on. Where nobody else has any, it hears itself of whatever is given
     * back; and it is not written down anew each time it asks.
     */
    private static boolean takeTurns(Session session, String namespace, String process, Locked pool, int granted)
            throws SQLException {
        boolean own = process.equals(pool.next());
        boolean becomes = granted == 0 && (own || (pool.next() == null && pool.room(process) == 0
                && pool.heldElsewhere() > 0));
        boolean known = becomes && own && pool.row() != null
                && pool.row().nextForMillis() > Slots.KEPT.toMillis() / 2;
        if ((becomes || own) && !known) {
            session.update("next_in_pool", namespace, pool.pool().name(), pool.pool().kind().name(),
                    becomes ? process : null, Slots.KEPT.toMillis());
        }
        return becomes;
    }

    private static Locked lock(Session session, String namespace, String process, SlotPool pool, String own)
            throws SQLException {
        long lasts = pool.lasts().toMillis();
        Row row = session.first("lock_pool", found -> new Row(found.getInt("slots_max"), found.getLong("lasts_millis"),
                found.getString("next_process"), found.getLong("next_for")), namespace, pool.name(),
                pool.kind().name());
        if (row == null || row.max() != pool.max() || row.lastsMillis() != lasts) {
            session.update("put_pool", namespace, pool.name(), pool.kind().name(), pool.max(), lasts);
        }
        session.update("forget_slots", namespace, pool.name(), pool.kind().name(), own);
        return Objects.requireNonNull(session.first("count_slots",
                found -> new Locked(pool, row, found.getInt("held"), found.getInt("held_elsewhere"),
                        found.getLong("next_in")),
                namespace, pool.name(), pool.kind().name(), process));
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
                row.getString("process"),
                Columns.instant(row, "expires_at")), namespace, pool, limit);
    }

    private static String json(Collection<SlotKey> slots) {
        return slots.stream()
                .map(slot -> Json.object().put("holder", FreeText.column(slot.holder())).put("pool", slot.pool()).end())
                .collect(Collectors.joining(",", "[", "]"));
    }
}
