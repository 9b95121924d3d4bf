package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one commit as one JSON object: for each record what it came to, for each move what it added, for each payload its
 * digest. Together with the payloads it is complete: {@link EventReader} makes the same writes of it. What a reader knows from the
 * events before is left out: docs/SCHEMA.md says what each member means, and its absence.
 */
final class Account {

    private final Occasion occasion;
    private final Hash previous;
    private final Set<ActivityKey> existing;
    private final Map<Hash, Payload> payloads = new LinkedHashMap<>();
    private final Map<ActivityKey, ActivityRecord> activities = new LinkedHashMap<>();
    private final Map<Guid, GuidRecord> ledgers = new LinkedHashMap<>();
    private final List<Write.MoveSemaphore> moves = new ArrayList<>();
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

    /**
     * An account of one commit.
     *
     * @param existing the activities that events before it have told of, as far as the commit writes them
     */
    Account(Occasion occasion, Hash previous, Set<ActivityKey> existing) {
        this.occasion = occasion;
        this.previous = previous;
        this.existing = existing;
    }

    /** The payloads whose digests it has told, each once. To be called after {@link #of}. */
    List<Payload> payloads() {
        return List.copyOf(payloads.values());
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
                .put("moves", moves.stream().map(this::move).toList());
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
                    moves.add(move);
                    if (marks(move)) {
                        // A ledger that is written later has the digit.
                        ledgers.computeIfPresent(move.by(), (guid, own) -> own.with(own.ledger().markCloser()));
                    }
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
            case Write.GiveUp giveUp -> handled.add(Json.object().putFreeText("givenUp", giveUp.reason()));
            case Write.BufferSignal buffer -> signals.add(kept(buffer.signal()));
            case Write.PutAttribute put -> attributes.add(attribute(put.attribute()));
            case Write.PutEffect put -> effects.add(effect(put.effect().effect()));
            case Write.TakeSignal take -> signals.add(Json.object().put("taken", take.guid().base64()));
            case Write.Hold hold -> {
                Json json = Json.object();
                held = (hold.reason() == null ? json : json.putFreeText("reason", hold.reason()))
                        .put("status", hold.status().name());
            }
            case Write.CloseWorkflow close -> closed = closed(close);
        }
    }

    private static boolean marks(Write.MoveSemaphore move) {
        return move.predictedHit() && move.weight() != 0;
    }

    /** Where the ledger of the mover is not told, the reader has to set the closer's digit in it. */
    private Json move(Write.MoveSemaphore move) {
        Json json = by(Json.object(), move.by());
        json = (move.predictedHit() ? json.put("closes", true) : json).put("delta", move.delta());
        return marks(move) && !ledgers.containsKey(move.by()) ? json.put("marks", true) : json;
    }

    private Json closed(Write.CloseWorkflow close) {
        Json json = Json.object();
        if (!close.closedAt().equals(occasion.at())) {
            json.put("at", close.closedAt().toEpochMilli());
        }
        digest(json, "output", close.output());
        return (close.reason() == null ? json : json.putFreeText("reason", close.reason())).put("status",
                close.status().name());
    }

    private Json kept(Message.Signal signal) {
        Json json = Json.object().put("kept", signal.guid().base64());
        String manner = Occasion.manner(signal.response());
        json = manner.isEmpty() ? json : json.put("manner", manner);
        return digest(json, "payload", signal.response().payload()).putFreeText("topic", signal.topic());
    }

    /** A value may be anything a user has written: like a payload it is told by its digest. */
    private Json attribute(Attribute attribute) {
        Json json = Json.object().put("name", attribute.key().name());
        return switch (attribute) {
            case Attribute.Text text -> value(json, "text", text.value());
            case Attribute.Whole whole -> value(json, "long", Long.toString(whole.value()));
            case Attribute.Flag flag -> value(json, "boolean", Boolean.toString(flag.value()));
            case Attribute.Time time -> value(json, "time", time.value().toString());
            case Attribute.Memo memo -> told(json.put("type", "memo"), "value", memo.value());
            case Attribute.Removed removed -> json.put("removed", removed.key().memo() ? "memo" : "attribute");
        };
    }

    private Json value(Json json, String type, String text) {
        return told(json.put("type", type), "value", Payload.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private Json effect(Effect effect) {
        Json json = Json.object().put("activity", effect.key().activityName());
        if (effect.error() != null) {
            told(json, "error", effect.error());
        }
        json.put("key", effect.key().idempotencyKey()).put("operation", effect.key().operationId());
        if (effect.result() != null) {
            told(json, "result", effect.result());
        }
        return json.put("status", effect.status().text());
    }

    /** Its trigger is the activity that this event tells of as one. */
    private Json started(WorkflowRecord workflow) {
        Beginning beginning = workflow.beginning();
        Json json = Json.object()
                .put("definition", beginning.definition())
                .put("group", beginning.group());
        digest(json, "input", beginning.input());
        Origin origin = beginning.origin();
        if (origin != null) {
            json.put("parent", origin.parent().workflow().toString()).put("parentActivity", key(origin.activity()))
                    .put("parentAnswer", origin.answer().base64());
            (origin.awaitsResult() ? json.put("parentAwaits", true) : json).put("parentGroup", origin.parent().group());
        }
        return (beginning.threshold() == 0 ? json : json.put("threshold", beginning.threshold()))
                .put("version", beginning.definitionVersion())
                .put("workflow", workflow.key().toString());
    }

    /**
     * Type and input never change, so they are told by the first event of the activity and not again. What a worker is given is told
     * where it is not that input. The ledger of the message that came stands beside that of the activity it came to.
     */
    private Json activity(ActivityRecord activity, @Nullable GuidRecord own) {
        Json json = Json.object();
        if (activity.child() != null) {
            json.put("child", activity.child().workflow().toString()).put("childGroup", activity.child().group());
        }
        boolean born = !existing.contains(activity.key());
        // A trigger has the input of its workflow.
        if (born && activity.type() != ActivityType.TRIGGER) {
            digest(json, "input", activity.input());
        }
        json.put("key", key(activity.key())).put("ledger", activity.ledger().digits());
        if (own != null && own.activity().equals(activity.key())) {
            json.put("message", own.ledger().digits());
        }
        digest(json, "output", activity.output());
        if (activity.waker() instanceof Waker.Task task && !task.input().equals(activity.input())) {
            told(json, "task", task.input());
        }
        if (born) {
            json.put("type", activity.type().name());
        }
        String waker = activity.waker().text();
        return waker.isEmpty() ? json : json.putFreeText("waker", waker);
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

    /** A payload that is empty unless it is told. */
    private Json digest(Json json, String name, Payload payload) {
        return payload.size() == 0 ? json : told(json, name, payload);
    }

    /** A payload that is there, even if it is empty. */
    private Json told(Json json, String name, Payload payload) {
        if (payload.size() == 0) {
            return json.put(name, "");
        }
        payloads.putIfAbsent(payload.digest(), payload);
        return json.put(name, payload.digest().base64());
    }
}
