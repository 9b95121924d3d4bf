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

/**
 * Writes of one commit as one JSON object: for each row what it came to, for each move what it added, for each payload its
 * digest. A GUID is named only where it is not the one of the message itself.
 */
final class Account {

    /** Of this layout. */
    private static final int VERSION = 1;

    private final Occasion occasion;
    private final Hash previous;
    private final long number;
    private final Map<ActivityKey, Json> activities = new LinkedHashMap<>();
    private final Map<Guid, Json> ledgers = new LinkedHashMap<>();
    private final List<Json> moves = new ArrayList<>();
    private final List<Json> joins = new ArrayList<>();
    private final List<Json> sent = new ArrayList<>();
    private final List<Json> signals = new ArrayList<>();
    private final List<Json> handled = new ArrayList<>();
    private final List<Json> started = new ArrayList<>();
    private final List<Json> held = new ArrayList<>();
    private final List<Json> closed = new ArrayList<>();
    private final List<Json> effects = new ArrayList<>();
    private final List<Json> attributes = new ArrayList<>();

    Account(Occasion occasion, Hash previous, long number) {
        this.occasion = occasion;
        this.previous = previous;
        this.number = number;
    }

    String of(List<Write> writes) {
        writes.forEach(this::add);
        return Json.object()
                .put("activities", activities.values())
                .put("at", occasion.at().toString())
                .put("attributes", attributes)
                .put("cause", occasion.cause())
                .put("closed", closed)
                .put("effects", effects)
                .put("guid", occasion.guid().toString())
                .put("handled", handled)
                .put("held", held)
                .put("joins", joins)
                .put("ledgers", ledgers.values())
                .put("moves", moves)
                .put("number", number)
                .put("previous", previous.hex())
                .put("sent", sent)
                .put("signals", signals)
                .put("started", started)
                .put("v", VERSION)
                .end();
    }

    private void add(Write write) {
        switch (write) {
            case Write.CreateWorkflow create -> started.add(started(create.workflow()));
            case Write.PutActivity put -> activities.put(put.activity().key(), activity(put.activity()));
            case Write.PutGuid put -> ledgers.put(put.guid().guid(), ledger(put.guid()));
            case Write.MoveSemaphore move -> {
                Json json = by(Json.object(), move.by());
                moves.add((move.predictedHit() ? json.put("closes", true) : json).put("delta", move.delta()));
            }
            case Write.MoveJoin move -> {
                Json json = by(place(Json.object(), move.join()).put("arrivals", move.arrivals()), move.by());
                joins.add(move.predictedHit() ? json.put("opens", true) : json);
            }
            case Write.Enqueue enqueue -> sent.add(Json.object()
                    .put("guid", enqueue.message().guid().toString())
                    .put("kind", Occasion.kind(enqueue.message()))
                    .put("number", enqueue.number()));
            case Write.Post post -> sent.add(Json.object()
                    .put("group", post.group())
                    .put("guid", post.message().guid().toString())
                    .put("kind", Occasion.kind(post.message()))
                    .put("workflow", post.message().workflow().toString()));
            case Write.Acknowledge acknowledge -> {}
            // The event names the signal by its GUID, and so does the acceptance.
            case Write.Accept accept -> {}
            case Write.Charge charge -> handled.add(Json.object().put("charged", charge.marks()));
            case Write.GiveUp giveUp -> handled.add(Json.object().put("givenUp", giveUp.reason()));
            case Write.BufferSignal buffer -> signals.add(digest(
                    Json.object().put("kept", buffer.signal().guid().toString()), "payload",
                    buffer.signal().response().payload()).put("topic", buffer.signal().topic()));
            case Write.PutAttribute put -> attributes.add(attribute(put.attribute()));
            case Write.PutEffect put -> effects.add(effect(put.effect().effect()));
            case Write.TakeSignal take -> signals.add(Json.object().put("taken", take.guid().toString()));
            case Write.Hold hold -> {
                Json json = Json.object();
                held.add((hold.reason() == null ? json : json.put("reason", hold.reason()))
                        .put("status", hold.status().name()));
            }
            case Write.CloseWorkflow close -> {
                Json json = digest(Json.object().put("at", close.closedAt().toString()), "output", close.output());
                closed.add((close.reason() == null ? json : json.put("reason", close.reason()))
                        .put("status", close.status().name()));
            }
        }
    }

    /** A value may be anything a user has written: like a payload it is told by its digest. */
    private static Json attribute(Attribute attribute) {
        Json json = Json.object().put("name", attribute.key().name());
        return switch (attribute) {
            case Attribute.Text text -> value(json, "text", text.value());
            case Attribute.Whole whole -> value(json, "long", Long.toString(whole.value()));
            case Attribute.Flag flag -> value(json, "boolean", Boolean.toString(flag.value()));
            case Attribute.Time time -> value(json, "time", time.value().toString());
            case Attribute.Memo memo -> json.put("type", "memo").put("value", memo.value().digest().hex());
            case Attribute.Removed removed -> json.put("removed", removed.key().memo() ? "memo" : "attribute");
        };
    }

    private static Json value(Json json, String type, String text) {
        Payload payload = Payload.of(text.getBytes(StandardCharsets.UTF_8));
        return json.put("type", type).put("value", payload.digest().hex());
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

    private static Json started(WorkflowRecord workflow) {
        Beginning beginning = workflow.beginning();
        Json json = Json.object()
                .put("definition", beginning.definition())
                .put("definitionVersion", beginning.definitionVersion())
                .put("group", beginning.group());
        digest(json, "input", beginning.input());
        Origin origin = beginning.origin();
        if (origin != null) {
            json.put("parent", origin.parent().workflow().toString()).put("parentActivity",
                    origin.activity().toString());
        }
        return json.put("threshold", beginning.threshold())
                .put("trigger", beginning.trigger())
                .put("workflow", workflow.key().toString());
    }

    /**
     * The input is fixed when the row is born, so it is told then and not again once leg one is done. What a worker is given
     * is told where it is not that input.
     */
    private static Json activity(ActivityRecord activity) {
        Json json = place(Json.object(), activity.key());
        if (activity.child() != null) {
            json.put("child", activity.child().workflow().toString());
        }
        boolean born = !activity.ledger().legOneComplete() && activity.ledger().legOneEntries() <= 1;
        if (born) {
            digest(json, "input", activity.input());
        }
        json.put("ledger", activity.ledger().toString());
        digest(json, "output", activity.output());
        if (activity.waker() instanceof Waker.Task task && !task.input().equals(activity.input())) {
            digest(json, "task", task.input());
        }
        if (born) {
            json.put("type", activity.type().name());
        }
        String waker = waker(activity.waker());
        return waker.isEmpty() ? json : json.put("waker", waker);
    }

    /** No two wakers read the same, whatever their topics and cursors are: no kind begins with the word of another. */
    private static String waker(Waker waker) {
        return switch (waker) {
            case Waker.None none -> "";
            case Waker.Task task -> "task " + task.queue() + " attempt " + task.attempt() + " until " + task.deadline();
            case Waker.Timer timer -> "timer " + timer.dueAt();
            case Waker.Hook hook -> (hook.taken() ? "taken hook " : "hook ") + hook.topic();
            case Waker.Local local -> "local attempt " + local.attempt();
            case Waker.Code code -> (code.awake() ? "code awake " : "code ") + code.news();
            case Waker.Child child -> "child";
            case Waker.FanOut fanOut -> "fan-out " + fanOut.cursor();
        };
    }

    private Json ledger(GuidRecord guid) {
        Json json = place(Json.object(), guid.activity());
        return (guid.guid().equals(occasion.guid()) ? json : json.put("guid", guid.guid().toString()))
                .put("ledger", guid.ledger().toString());
    }

    private static Json place(Json json, ActivityKey key) {
        return json.put("activity", key.activity()).put("address", key.address().drawing());
    }

    private Json by(Json json, Guid mover) {
        return mover.equals(occasion.guid()) ? json : json.put("by", mover.toString());
    }

    private static Json digest(Json json, String name, Payload payload) {
        return payload.size() == 0 ? json : json.put(name, payload.digest().hex());
    }
}
