package dev.pawl.store.sql;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.store.row.MessageRow;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How many shards each group has and what their rows are called. Fixed when a group is created, so what was read once stays true;
 * a group that does not exist yet is asked for again.
 */
public final class Shards {

    private final Map<String, List<Long>> numbersByGroup = new ConcurrentHashMap<>();

    /** A shard, and what other tables call it. */
    public record Numbered(ShardId shard, long shardNo) {
    }

    /** The shard a workflow of a group lives in; null if the group was never created. */
    public @Nullable Numbered home(Session session, WorkflowKey workflow, String group) throws SQLException {
        List<Long> numbers = numbers(session, workflow.namespace(), group);
        return numbers.isEmpty() ? null : home(workflow, group, numbers);
    }

    /** The same from memory alone; null if the group has not been asked for yet. */
    public @Nullable Numbered known(WorkflowKey workflow, String group) {
        List<Long> numbers = numbersByGroup.get(workflow.namespace() + "/" + group);
        return numbers == null ? null : home(workflow, group, numbers);
    }

    /** What other tables call a shard, from memory alone; null if its group has not been asked for yet. */
    public @Nullable Long known(ShardId shard) {
        List<Long> numbers = numbersByGroup.get(shard.namespace() + "/" + shard.group());
        return numbers == null || shard.number() >= numbers.size() ? null : numbers.get(shard.number());
    }

    private static Numbered home(WorkflowKey workflow, String group, List<Long> numbers) {
        ShardId shard = ShardId.of(workflow, group, numbers.size());
        return new Numbered(shard, numbers.get(shard.number()));
    }

    /** What other tables call a shard; -1 if it does not exist. */
    public long number(Session session, ShardId shard) throws SQLException {
        List<Long> numbers = numbers(session, shard.namespace(), shard.group());
        return shard.number() < numbers.size() ? numbers.get(shard.number()) : -1;
    }

    int count(Session session, String namespace, String group) throws SQLException {
        return numbers(session, namespace, group).size();
    }

    private List<Long> numbers(Session session, String namespace, String group) throws SQLException {
        String key = namespace + "/" + group;
        List<Long> known = numbersByGroup.get(key);
        if (known != null) {
            return known;
        }
        List<Long> read = session.query("shards_of_group", row -> row.getLong("shard_no"), namespace, group);
        if (!read.isEmpty()) {
            numbersByGroup.put(key, List.copyOf(read));
        }
        return read;
    }

    /** Leaves a message in the inbox of its workflow's shard, from outside a commit. */
    public ShardId post(Session session, String group, Message message) throws SQLException {
        return post(session, "leave_message", group, message);
    }

    /** The same by another statement of the same parameters. */
    public ShardId post(Session session, String statement, String group, Message message) throws SQLException {
        Numbered home = home(session, message.workflow(), group);
        if (home == null) {
            throw new IllegalArgumentException("group " + group + " has no shards; create them first");
        }
        MessageRow row = MessageRow.of(message);
        session.update(statement, message.workflow().namespace(), home.shardNo(), message.workflow().workflowId(),
                row.kind(), row.guid(), row.activity(), row.address(), row.name(), row.source(), row.attempt(),
                row.response(), row.payload(), row.details());
        return home.shard();
    }
}
