package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one commit as one JSON object: for each row what it came to, for each move what it added, for each payload its
 * digest. What a reader knows without being told is left out: docs/SCHEMA.md says what each member means, and its absence.
 */
final class Account {

    private final Occasion occasion;
    private final Hash previous;
    private final Map<ActivityKey, ActivityRecord> activities = new LinkedHashMap<>();
    private final Map<Guid, GuidRecord> ledgers = new LinkedHashMap<>();
    private final List<Json> moves = new ArrayList<>();
    private final List<Json> joins = new ArrayList<>();
    private final List<Json> sent = new ArrayList<>();
    private final List<Json> signals = new ArrayList<>();
    private final List<Json> handled = new ArrayList<>();
    private final List<Json> effects = new ArrayList<>();
    private final List<Json> attributes = new ArrayList<>();
    private boolean closes;
    private @Nullable Json started;
    private @Nullable Json held;
    private @Nullable Json closed;

    Account(Occasion occasion, Hash previous) {
        this.occasion = occasion;
        this.previous = previous;
    }

    String of(List<Write> writes) {
        writes.forEach(this::add);
        GuidRecord own = ledgers.get(occasion.guid());
        List<Json> rows = new ArrayList<>();
        for (ActivityRecord activity : activities.values()) {
            rows.add(activity(activity, own));
        }
        List<Json> others = new ArrayList<>();
        for (GuidRecord guid : ledgers.values()) {
            if (!guid.guid().equals(occasion.guid()) || !activities.containsKey(guid.activity())) {
                others.add(ledger(guid));
            }
        }
        boolean start = occasion.cause().equals(Occasion.START);
        Json json = Json.object()
                .put("activities", rows)
                .put("at", occasion.at().toEpochMilli())
                .put("attributes", attributes);
        (start ? json : json.put("cause", occasion.cause()))
                .put("closed", closed)
                .put("effects", effects);
        (start || nobody(own) ? json : json.put("guid", occasion.guid().base64()))
                .put("handled", handled)
                .put("held", held)
                .put("joins", joins)
                .put("ledgers", others)
                .put("moves", moves);
        // The first event follows nothing.
        return (previous.equals(Hash.NONE) ? json : json.put("previous", previous.base64()))
                .put("sent", sent)
                .put("signals", signals)
                .put("started", started)
                .end();
    }

    /** An advance lies nowhere, and is nobody's unless one of its operations has ended: then it has the ledger of what ended it. */
    private boolean nobody(@Nullable GuidRecord own) {
        return own == null && !closes && occasion.cause().equals(Occasion.ADVANCE);
    }

    private void add(Write write) {
        switch (write) {
            case Write.CreateWorkflow create -> started = started(create.workflow());
            case Write.PutActivity put -> activities.put(put.activity().key(), put.activity());
            case Write.PutGuid put -> ledgers.put(put.guid().guid(), put.guid());
            case Write.MoveSemaphore move -> {
                if (move.delta() != 0 || move.predictedHit()) {
                    closes |= move.predictedHit();
                    Json json = by(Json.object(), move.by());
                    moves.add((move.predictedHit() ? json.put("closes", true) : json).put("delta", move.delta()));
                }
            }
            case Write.MoveJoin move -> {
                Json json = by(Json.object().put("arrivals", move.arrivals()), move.by()).put("key", key(move.join()));
                joins.add(move.predictedHit() ? json.put("opens", true) : json);
            }
            case Write.Enqueue enqueue -> sent.add(Json.object()
                    .put("guid", enqueue.message().guid().base64())
                    .put("kind", Occasion.kind(enqueue.message()))
                    .put("number", enqueue.number()));
            case Write.Post post -> sent.add(Json.object()
                    .put("group", post.group())
                    .put("guid", post.message().guid().base64())
                    .put("kind", Occasion.kind(post.message()))
                    .put("workflow", post.message().workflow().toString()));
            case Write.Acknowledge acknowledge -> {}
            // The event names the signal by its GUID, and so does the acceptance.
            case Write.Accept accept -> {}
            case Write.Charge charge -> handled.add(Json.object().put("charged", charge.marks()));
            case Write.GiveUp giveUp -> handled.add(Json.object().put("givenUp", giveUp.reason()));
            case Write.BufferSignal buffer -> signals.add(digest(
                    Json.object().put("kept", buffer.signal().guid().base64()), "payload",
                    buffer.signal().response().payload()).put("topic", buffer.signal().topic()));
            case Write.PutAttribute put -> attributes.add(attribute(put.attribute()));
            case Write.PutEffect put -> effects.add(effect(put.effect().effect()));
            case Write.TakeSignal take -> signals.add(Json.object().put("taken", take.guid().base64()));
            case Write.Hold hold -> {
                Json json = Json.object();
                held = (hold.reason() == null ? json : json.put("reason", hold.reason()))
                        .put("status", hold.status().name());
            }
            case Write.CloseWorkflow close -> closed = closed(close);
        }
    }

    private Json closed(Write.CloseWorkflow close) {
        Json json = Json.object();
        if (!close.closedAt().equals(occasion.at())) {
            json.put("at", close.closedAt().toEpochMilli());
        }
        digest(json, "output", close.output());
        return (close.reason() == null ? json : json.put("reason", close.reason())).put("status",
                close.status().name());
    }

    /** A value may be anything a user has written: like a payload it is told by its digest. */
    private static Json attribute(Attribute attribute) {
        Json json = Json.object().put("name", attribute.key().name());
        return switch (attribute) {
            case Attribute.Text text -> value(json, "text", text.value());
            case Attribute.Whole whole -> value(json, "long", Long.toString(whole.value()));
            case Attribute.Flag flag -> value(json, "boolean", Boolean.toString(flag.value()));
            case Attribute.Time time -> value(json, "time", time.value().toString());
            case Attribute.Memo memo -> json.put("type", "memo").put("value", memo.value().digest().base64());
            case Attribute.Removed removed -> json.put("removed", removed.key().memo() ? "memo" : "attribute");
        };
    }

    private static Json value(Json json, String type, String text) {
        Payload payload = Payload.of(text.getBytes(StandardCharsets.UTF_8));
        return json.put("type", type).put("value", payload.digest().base64());
    }

    private static Json effect(Effect effect) {
        Json json = Json.object().put("activity", effect.key().activityName());
        if (effect.error() != null) {
            digest(json, "error", effect.error());
        }
        json.put("key", effect.key().idempotencyKey()).put("operation", effect.key().operationId());
        if (effect.result() != null) {
            digest(json, "result", effect.result());
        }
        return json.put("status", effect.status().text());
    }

    /** Its trigger is the activity that this event tells of as one. */
    private static Json started(WorkflowRecord workflow) {
        Beginning beginning = workflow.beginning();
        Json json = Json.object()
                .put("definition", beginning.definition())
                .put("group", beginning.group());
        digest(json, "input", beginning.input());
        Origin origin = beginning.origin();
        if (origin != null) {
            json.put("parent", origin.parent().workflow().toString()).put("parentActivity", key(origin.activity()));
        }
        return (beginning.threshold() == 0 ? json : json.put("threshold", beginning.threshold()))
                .put("version", beginning.definitionVersion())
                .put("workflow", workflow.key().toString());
    }

    /**
     * The input is fixed when the row is born, so it is told then and not again once leg one is done. What a worker is given
     * is told where it is not that input. The ledger of the message that came stands beside that of the activity it came to.
     */
    private static Json activity(ActivityRecord activity, @Nullable GuidRecord own) {
        Json json = Json.object();
        if (activity.child() != null) {
            json.put("child", activity.child().workflow().toString());
        }
        boolean born = !activity.ledger().legOneComplete() && activity.ledger().legOneEntries() <= 1;
        if (born) {
            digest(json, "input", activity.input());
        }
        json.put("key", key(activity.key())).put("ledger", activity.ledger().digits());
        if (own != null && own.activity().equals(activity.key())) {
            json.put("message", own.ledger().digits());
        }
        digest(json, "output", activity.output());
        if (activity.waker() instanceof Waker.Task task && !task.input().equals(activity.input())) {
            digest(json, "task", task.input());
        }
        if (born) {
            json.put("type", activity.type().name());
        }
        String waker = activity.waker().text();
        return waker.isEmpty() ? json : json.put("waker", waker);
    }

    private Json ledger(GuidRecord guid) {
        Json json = Json.object();
        return (guid.guid().equals(occasion.guid()) ? json : json.put("guid", guid.guid().base64()))
                .put("key", key(guid.activity())).put("ledger", guid.ledger().digits());
    }

    /** No name has a comma in it, and every address begins with one. */
    private static String key(ActivityKey key) {
        return key.activity() + key.address().drawing();
    }

    private Json by(Json json, Guid mover) {
        return mover.equals(occasion.guid()) ? json : json.put("by", mover.base64());
    }

    private static Json digest(Json json, String name, Payload payload) {
        return payload.size() == 0 ? json : json.put(name, payload.digest().base64());
    }
}
