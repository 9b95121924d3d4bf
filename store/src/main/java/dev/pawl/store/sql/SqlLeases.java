package dev.pawl.store.sql;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Presence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StaleOwner;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lease rows and their rules. Each method runs in a transaction of the caller's, with the row locked before it is judged. */
final class SqlLeases {

    private SqlLeases() {
    }

    private record Row(@Nullable String owner, long epoch, @Nullable Instant expiresAt, int format, boolean live) {

        static Row of(ResultSet row) throws SQLException {
            return new Row(row.getString("owner"), row.getLong("epoch"), Columns.instantOrNull(row, "expires_at"),
                    row.getInt("format"), row.getBoolean("live"));
        }

        boolean heldUnder(Fence fence) {
            return owner != null && epoch == fence.epoch();
        }
    }

    static int create(Session session, String namespace, String group, int count) throws SQLException {
        if (count < 1) {
            throw new IllegalArgumentException("a group has at least one shard, not " + count);
        }
        int existing = count(session, namespace, group);
        for (int number = 0; existing == 0 && number < count; number++) {
            session.update("create_shard", namespace, group, number);
        }
        return existing == 0 ? count : existing;
    }

    static int count(Session session, String namespace, String group) throws SQLException {
        return Objects.requireNonNull(session.first("count_shards", row -> row.getInt(1), namespace, group));
    }

    static List<Lease> leases(Session session, String namespace, String group) throws SQLException {
        return session.query("leases", row -> {
            Row lease = Row.of(row);
            return new Lease(new ShardId(namespace, group, row.getInt("shard_number")), lease.owner(), lease.epoch(),
                    lease.expiresAt(), Duration.ofMillis(row.getLong("ttl_millis")), lease.live(), lease.format());
        }, namespace, group);
    }

    static Claim claim(Session session, ShardId shard, String owner, Duration ttl, int format) throws SQLException {
        Row row = locked(session, shard);
        if (row.format() > format) {
            return new Claim.FormatTooNew(row.format());
        }
        if (row.live() && row.owner() != null && row.expiresAt() != null) {
            return new Claim.Held(row.owner(), row.expiresAt());
        }
        return own(session, shard, owner, row.epoch() + 1, ttl, format, row.owner() == null);
    }

    static Claim takeOver(Session session, Lease seen, String owner, Duration ttl, int format) throws SQLException {
        ShardId shard = seen.shard();
        Row row = session.first("lock_free_shard", Row::of, shard.namespace(), shard.group(), shard.number());
        if (row == null || row.epoch() != seen.epoch() || !Objects.equals(row.owner(), seen.owner())
                || !Objects.equals(row.expiresAt(), seen.expiresAt())) {
            return new Claim.Held(Objects.requireNonNullElse(seen.owner(), ""),
                    Objects.requireNonNullElse(seen.expiresAt(), Instant.EPOCH));
        }
        return row.format() > format ? new Claim.FormatTooNew(row.format())
                : own(session, shard, owner, row.epoch() + 1, ttl, format, row.owner() == null);
    }

    static List<Presence> renewAll(Session session, String namespace, String group, String owner, Duration ttl,
            boolean shares) throws SQLException {
        session.update("renew_engine", namespace, group, owner, ttl.toMillis(), shares);
        session.update("renew_shards", namespace, group, owner, ttl.toMillis());
        return presences(session, namespace, group);
    }

    static List<Presence> presences(Session session, String namespace, String group) throws SQLException {
        return session.query("engines", row -> new Presence(row.getString("owner"), Columns.instant(row, "expires_at"),
                Duration.ofMillis(row.getLong("ttl_millis")), row.getBoolean("live"), row.getBoolean("shares")),
                namespace, group);
    }

    static Claim raise(Session session, Fence fence, Duration ttl) throws SQLException {
        Row row = locked(session, fence.shard());
        String owner = row.owner();
        if (!row.heldUnder(fence) || owner == null) {
            return new StaleOwner(row.epoch());
        }
        return own(session, fence.shard(), owner, row.epoch() + 1, ttl, row.format(), false);
    }

    static void release(Session session, Fence fence) throws SQLException {
        session.update("release_shard", fence.shard().namespace(), fence.shard().group(), fence.shard().number(),
                fence.epoch());
    }

    static void abandon(Session session, Fence fence) throws SQLException {
        session.update("abandon_shard", fence.shard().namespace(), fence.shard().group(), fence.shard().number(),
                fence.epoch());
    }

    static StaleOwner stale(Session session, ShardId shard) throws SQLException {
        return new StaleOwner(latest(session, shard).epoch());
    }

    /** Whether a fence is the shard's latest and somebody holds it. Reads only: it may be over a moment later. */
    static boolean held(Session session, Fence fence) throws SQLException {
        Latest latest = latest(session, fence.shard());
        return latest.held() && latest.epoch() == fence.epoch();
    }

    private record Latest(long epoch, boolean held) {
    }

    private static Latest latest(Session session, ShardId shard) throws SQLException {
        return existing(shard, session.first("shard_epoch",
                row -> new Latest(row.getLong("epoch"), row.getBoolean("held")), shard.namespace(), shard.group(),
                shard.number()));
    }

    private static Row locked(Session session, ShardId shard) throws SQLException {
        return existing(shard,
                session.first("lock_shard", Row::of, shard.namespace(), shard.group(), shard.number()));
    }

    private static <T> T existing(ShardId shard, @Nullable T row) {
        if (row == null) {
            throw new IllegalArgumentException("no shard " + shard + "; create the shards of its group first");
        }
        return row;
    }

    private static Claim own(Session session, ShardId shard, String owner, long epoch, Duration ttl, int format,
            boolean clean) throws SQLException {
        Instant until = session.first("own_shard", row -> Columns.instant(row, "expires_at"), shard.namespace(),
                shard.group(), shard.number(), owner, epoch, ttl.toMillis(), format);
        return new Claim.Claimed(new Fence(shard, epoch), Objects.requireNonNull(until), clean);
    }
}
