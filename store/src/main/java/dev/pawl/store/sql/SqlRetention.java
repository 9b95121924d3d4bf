package dev.pawl.store.sql;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Swept;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Deletes what is over. Looking for it means going through old workflows, so that is done in a read; the transaction that deletes
 * locks what was found, looks at it once more, and leaves alone what has changed.
 */
final class SqlRetention {

    /** How far back a newer engine's records begin: what only it can know all of. */
    private static final int FORMAT = EngineSettings.FORMAT;

    private SqlRetention() {
    }

    static Swept sweep(Database database, String namespace, Cutoffs cutoffs, Instant now, int limit) {
        List<Long> found = database.read(session -> session.query("sweepable_workflows", row -> row.getLong(1),
                namespace, json(cutoffs), now.toEpochMilli(), FORMAT, limit, latest(cutoffs)));
        return database.write(session -> sweep(session, namespace, cutoffs, now, found)
                .plus(expired(session, namespace, cutoffs, now, limit)));
    }

    private static Swept sweep(Session session, String namespace, Cutoffs cutoffs, Instant now, List<Long> found)
            throws SQLException {
        if (found.isEmpty()) {
            return Swept.NOTHING;
        }
        // Two statements: what the second one sees was committed before the first one had its locks.
        List<Long> locked = session.query("lock_for_sweep", row -> row.getLong(1), namespace, json(found),
                json(cutoffs), FORMAT);
        String over = json(session.query("sweepable_of", row -> row.getLong(1), namespace, json(locked),
                now.toEpochMilli()));
        long bytes = Objects.requireNonNull(session.first("bytes_of", row -> row.getLong(1), namespace, over));
        long events = session.update("sweep_events", over);
        session.update("sweep_waiting", over);
        session.update("sweep_joins", namespace, over);
        session.update("sweep_effects", namespace, over);
        session.update("sweep_attributes", namespace, over);
        session.update("sweep_decisions", namespace, over);
        long acceptances = session.update("sweep_acceptances", namespace, over);
        return new Swept(session.update("sweep_workflows", namespace, over), events, acceptances, bytes);
    }

    private static Swept expired(Session session, String namespace, Cutoffs cutoffs, Instant now, int limit)
            throws SQLException {
        session.update("sweep_lone_decisions", namespace, latest(cutoffs), FORMAT, limit);
        session.update("sweep_slots", namespace, FORMAT, limit);
        session.update("sweep_pools", namespace, FORMAT, limit);
        return new Swept(0, 0,
                session.update("sweep_expired_acceptances", namespace, now.toEpochMilli(), FORMAT, limit), 0);
    }

    static Swept sweepable(Session session, String namespace, Cutoffs cutoffs, Instant now) throws SQLException {
        return Objects.requireNonNull(session.first("count_sweepable",
                row -> new Swept(row.getLong("workflows"), row.getLong("events"), row.getLong("acceptances"),
                        row.getLong("bytes")),
                namespace, json(cutoffs), now.toEpochMilli(), FORMAT, latest(cutoffs)));
    }

    static Map<String, Long> orphans(Session session, String namespace) throws SQLException {
        Map<String, Long> orphans = new TreeMap<>();
        session.query("orphans", row -> orphans.put(row.getString(1), row.getLong(2)), namespace);
        orphans.values().removeIf(count -> count == 0);
        return orphans;
    }

    /** Nothing that was created later may go, whatever its status: so much an index can tell. */
    private static long latest(Cutoffs cutoffs) {
        Instant latest = cutoffs.latest();
        return latest == null ? Long.MIN_VALUE : latest.toEpochMilli();
    }

    /** A cut-off for each status, as one parameter. */
    private static String json(Cutoffs cutoffs) {
        return cutoffs.closedBefore().entrySet().stream()
                .map(each -> "\"" + each.getKey().name() + "\":" + each.getValue().toEpochMilli())
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** A list as one parameter, which both databases take apart again. */
    private static String json(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
}
