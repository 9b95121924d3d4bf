package dev.pawl.store.sql;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.store.plan.Judge;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out why a batch was refused, from one consistent read. */
final class Reasons {

    private Reasons() {
    }

    static Commit of(Session session, Shards shards, Fence fence, List<Bundle> bundles) throws SQLException {
        if (!SqlLeases.held(session, fence)) {
            return SqlLeases.stale(session, fence.shard());
        }
        Judge.Verdict verdict = new Judge(new Rows(session, shards), fence.shard()).verdict(bundles);
        if (verdict == null) {
            // What stood in the way is gone. Nothing was written, and the same call may succeed now.
            throw new StoreException.Busy("a batch was refused for a reason that has passed; try it again", null);
        }
        return new Commit.Rejected(verdict.bundle(), verdict.why());
    }

    private record Rows(Session session, Shards shards) implements Judge.Stored {

        private interface Reading<T> {

            T read() throws SQLException;
        }

        @Override
        public Snapshot load(WorkflowKey workflow) {
            return read(() -> SqlLoads.load(session, workflow));
        }

        @Override
        public @Nullable ShardId home(WorkflowKey workflow) {
            return Rows.<@Nullable ShardId>read(() -> SqlReads.home(session, workflow));
        }

        @Override
        public int shards(String namespace, String group) {
            return read(() -> shards.count(session, namespace, group));
        }

        @Override
        public boolean known(WorkflowKey workflow, Write.Accept signal) {
            return read(() -> SqlSignals.known(session, shards, workflow, signal));
        }

        @Override
        public boolean lies(ShardId shard, long inboxId) {
            return read(() -> session.first("find_in_inbox", row -> true, shard.namespace(),
                    shards.number(session, shard), inboxId) != null);
        }

        private static <T extends @Nullable Object> T read(Reading<T> reading) {
            try {
                return reading.read();
            } catch (SQLException e) {
                throw new UncheckedSql(e);
            }
        }
    }
}
