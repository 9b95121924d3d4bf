package dev.pawl.store.postgres;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.postgres.PgNumbers.Place;
import dev.pawl.store.sql.Database.Verdict;
import dev.pawl.store.sql.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Carries out a plan in one statement. Outside a transaction that is one trip to the server, and the statement is the
 * transaction: when its answer is here, it is durable.
 */
final class PgCommit {

    private final Shards shards;
    private final PgNumbers numbers;
    private final ShardId shard;
    private final PgNumbers.Access access;

    /** The statement for some groups of parts. */
    @FunctionalInterface
    interface Assembly {

        PgStatement of(Set<PgPart.Group> groups);
    }

    /**
     * A commit to one shard.
     *
     * @param access for what must be known before the statement can be put together; hardly ever needed
     */
    PgCommit(Shards shards, PgNumbers numbers, ShardId shard, PgNumbers.Access access) {
        this.shards = shards;
        this.numbers = numbers;
        this.shard = shard;
        this.access = access;
    }

    /** The plan as a piece of a batch, under a fence; null if it is refused already. */
    PgBatch.@Nullable Piece prepare(long epoch, Plan plan) throws SQLException {
        List<Long> homes = new ArrayList<>();
        for (Write.Post post : plan.posts()) {
            Shards.Numbered home = home(post.message().workflow(), post.group());
            if (home == null) {
                return null;
            }
            homes.add(home.shardNo());
        }
        return piece(epoch, plan, homes);
    }

    /** The same without a fence: an inception only inserts. What it posts is left to the caller. */
    PgBatch.@Nullable Piece prepareStart(Plan plan) throws SQLException {
        return piece(null, plan, List.of());
    }

    /** Pieces of as many shards as you like, all or none of them. */
    static Verdict run(Assembly assembly, Connection connection, List<PgBatch.Piece> pieces) throws SQLException {
        PgBatch batch = new PgBatch(pieces);
        PgStatement assembled = assembly.of(batch.groups());
        try (PreparedStatement statement = connection.prepareStatement(assembled.sql())) {
            // Prepared at once: planning a statement of this size takes longer than running it.
            statement.unwrap(PGStatement.class).setPrepareThreshold(1);
            assembled.bind(connection, statement, batch);
            statement.execute();
            // The first answer is the one to what was sent ahead.
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                if (!row.getBoolean("held")) {
                    return Verdict.STALE;
                }
                return row.getBoolean("fits") ? Verdict.WRITTEN : Verdict.REFUSED;
            }
        }
    }

    private PgBatch.@Nullable Piece piece(@Nullable Long epoch, Plan plan, List<Long> homes) throws SQLException {
        List<WorkflowKey> existing = new ArrayList<>();
        for (WorkflowPlan workflow : plan.workflows()) {
            if (workflow.created == null && workflow.key.namespace().equals(shard.namespace())) {
                existing.add(workflow.key);
            }
        }
        Map<WorkflowKey, Place> known = numbers.of(existing, access);
        List<Place> places = new ArrayList<>();
        for (WorkflowPlan workflow : plan.workflows()) {
            Place place = workflow.created == null ? known.get(workflow.key) : fresh(workflow.key, workflow.created);
            if (place == null || place.shardNo() != shardNo()) {
                return null;
            }
            places.add(place);
        }
        return new PgBatch.Piece(shard, epoch, plan, places, homes);
    }

    private @Nullable Place fresh(WorkflowKey key, WorkflowRecord created) throws SQLException {
        Shards.Numbered home = home(key, created.beginning().group());
        return home == null ? null : new Place(numbers.next(access), home.shardNo());
    }

    private long shardNo() throws SQLException {
        Long known = shards.known(shard);
        return known != null ? known : access.run(session -> shards.number(session, shard));
    }

    private Shards.@Nullable Numbered home(WorkflowKey workflow, String group) throws SQLException {
        Shards.Numbered known = shards.known(workflow, group);
        return known != null
                ? known
                : access.run(session -> Optional.ofNullable(shards.home(session, workflow, group))).orElse(null);
    }
}
