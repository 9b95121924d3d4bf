package dev.pawl.store.sql;

import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.Semaphore;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.row.AttributeRow;
import dev.pawl.store.row.EventRow;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import dev.pawl.store.row.WakerRow;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows as records of the kernel. By name of the column, so that a column more in the answer does no harm. */
final class Columns {

    private Columns() {
    }

    static WorkflowRecord workflow(String namespace, ResultSet row) throws SQLException {
        WorkflowKey key = new WorkflowKey(namespace, row.getString("workflow_id"));
        Gate gate = new Gate(new Semaphore(row.getLong("semaphore")), row.getLong("threshold"),
                guidOrNull(row, "closed_by"));
        return new WorkflowRecord(key, beginning(row), WorkflowStatus.valueOf(row.getString("status")),
                row.getLong("version"), gate, row.getLong("messages"),
                Hash.ofDigest(row.getBytes("chain")), payload(row, "output"),
                FreeText.textOrNull(row.getString("reason")), instant(row, "created_at"),
                instantOrNull(row, "closed_at"));
    }

    private static Beginning beginning(ResultSet row) throws SQLException {
        return new Beginning(row.getString("group_name"), row.getString("definition"),
                row.getString("definition_version"), row.getString("trigger_activity"), row.getLong("threshold"),
                payload(row, "input"), origin(row));
    }

    private static @Nullable Origin origin(ResultSet row) throws SQLException {
        Guid answer = guidOrNull(row, "parent_answer");
        if (answer == null) {
            return null;
        }
        WorkflowKey parent = new WorkflowKey(row.getString("parent_namespace"), row.getString("parent_workflow_id"));
        return new Origin(new Recipient(row.getString("parent_group"), parent),
                new ActivityKey(row.getString("parent_activity"),
                        new DimensionalAddress(row.getString("parent_address"))),
                answer, row.getBoolean("parent_awaits"));
    }

    static ActivityKey key(ResultSet row) throws SQLException {
        return new ActivityKey(row.getString("activity"), new DimensionalAddress(row.getString("address")));
    }

    static Waker waker(ResultSet row) throws SQLException {
        return new WakerRow(row.getString("waker"), row.getString("waker_name"), longOrNull(row, "due_at"),
                intOrNull(row, "attempt"), payload(row, "task_input")).read();
    }

    /** An entry of the journal. */
    static JournalEntry entry(ResultSet row) throws SQLException {
        return new EventRow(row.getLong("number"), Hash.ofDigest(row.getBytes("hash")), null, row.getString("body"),
                payloadOrNull(row, "payloads")).entry();
    }

    static Gate gate(ResultSet row) throws SQLException {
        return new Gate(new Semaphore(row.getLong("semaphore")), row.getLong("threshold"),
                guidOrNull(row, "closed_by"));
    }

    static Message message(String namespace, ResultSet row) throws SQLException {
        return new MessageRow(row.getString("kind"), guid(row, "guid"), row.getString("activity"),
                row.getString("address"), row.getString("name"), row.getString("source"), intOrNull(row, "attempt"),
                row.getString("response"), payload(row, "payload"), row.getString("details"))
                .message(new WorkflowKey(namespace, row.getString("workflow_id")));
    }

    static EffectRecord effect(WorkflowKey workflow, ResultSet row) throws SQLException {
        Effect.Key key = new Effect.Key(row.getString("activity_name"), row.getString("operation_id"),
                FreeText.text(row.getString("idempotency_key")));
        return new EffectRecord(row.getInt("format"), workflow,
                new Effect(key, EffectStatus.of(row.getString("status")), payloadOrNull(row, "result"),
                        payloadOrNull(row, "error")),
                instant(row, "created_at"), instant(row, "updated_at"));
    }

    static Attribute attribute(ResultSet row) throws SQLException {
        return new AttributeRow(row.getString("name"), row.getString("type"), row.getString("text_value"),
                longOrNull(row, "number_value"), payloadOrNull(row, "memo_value")).attribute();
    }

    static Guid guid(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(guidOrNull(row, column), column);
    }

    /** SQLite has bytes where PostgreSQL has a type of its own. */
    static @Nullable Guid guidOrNull(ResultSet row, String column) throws SQLException {
        return switch (row.getObject(column)) {
            case null -> null;
            case UUID uuid -> new Guid(uuid);
            case byte[] bytes -> guid(bytes);
            default -> throw new IllegalStateException("column " + column + " holds no GUID");
        };
    }

    static Guid guid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Guid(new UUID(buffer.getLong(), buffer.getLong()));
    }

    static Payload payload(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        // SQLite answers with null where the bytes are none.
        return bytes == null || bytes.length == 0 ? Payload.EMPTY : Payload.of(bytes);
    }

    private static @Nullable Payload payloadOrNull(ResultSet row, String column) throws SQLException {
        row.getBytes(column);
        return row.wasNull() ? null : payload(row, column);
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return Instant.ofEpochMilli(row.getLong(column));
    }

    static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        Long millis = longOrNull(row, column);
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    private static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Integer intOrNull(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
