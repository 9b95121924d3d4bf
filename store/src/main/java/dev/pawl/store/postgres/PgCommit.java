package dev.pawl.store.postgres;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.sql.Database.Verdict;
import dev.pawl.store.sql.Database.Work;
import dev.pawl.store.sql.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
    private final ShardId shard;
    private final Reading reading;

    /** The statement for some groups of parts. */
    @FunctionalInterface
    interface Assembly {

        PgStatement of(Set<PgPart.Group> groups);
    }

    /** How something is read that must be known before the statement can be put together; hardly ever needed. */
    @FunctionalInterface
    interface Reading {

        <T> T read(Work<T> work) throws SQLException;
    }

    PgCommit(Shards shards, ShardId shard, Reading reading) {
        this.shards = shards;
        this.shard = shard;
        this.reading = reading;
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
        return fits(plan) ? new PgBatch.Piece(shard, epoch, plan, homes) : null;
    }

    /** The same without a fence: an inception only inserts. What it posts is left to the caller. */
    PgBatch.@Nullable Piece prepareStart(Plan plan) throws SQLException {
        return fits(plan) ? new PgBatch.Piece(shard, null, plan, List.of()) : null;
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

    private boolean fits(Plan plan) throws SQLException {
        for (WorkflowPlan workflow : plan.workflows()) {
            if (!livesHere(workflow)) {
                return false;
            }
        }
        return true;
    }

    /** What exists is compared with its shard by the statement; what is new must belong there. */
    private boolean livesHere(WorkflowPlan plan) throws SQLException {
        WorkflowRecord created = plan.created;
        if (created == null) {
            return plan.key.namespace().equals(shard.namespace());
        }
        Shards.Numbered home = home(plan.key, created.beginning().group());
        return home != null && home.shard().equals(shard);
    }

    private Shards.@Nullable Numbered home(WorkflowKey workflow, String group) throws SQLException {
        Shards.Numbered known = shards.known(workflow, group);
        return known != null
                ? known
                : reading.read(session -> Optional.ofNullable(shards.home(session, workflow, group))).orElse(null);
    }
}
