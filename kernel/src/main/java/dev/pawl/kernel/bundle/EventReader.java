package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.event.JsonObject;
import dev.pawl.kernel.event.JsonReader;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the writes of a commit from its event, as {@link Account} has told them: those that change the state of the workflow. The messages
 * themselves are not in an event, so what was queued and posted is left out; of the queue only the next number counts.
 */
final class EventReader {

    private final WorkflowKey workflow;
    private final Overlay before;
    /** By digest: those beside the event, before those that are kept elsewhere. */
    private final Map<Hash, Payload> payloads = new HashMap<>();
    private final JsonObject event;
    private final Instant at;
    private final Guid own;
    private final List<Write> writes = new ArrayList<>();

    /**
     * Reads one event.
     *
     * @param before the workflow before it
     * @param known what digests stand for whose payloads are not beside the event
     */
    EventReader(WorkflowKey workflow, Overlay before, JournalEntry entry, List<Payload> known) {
        this.workflow = workflow;
        this.before = before;
        known.forEach(payload -> payloads.put(payload.digest(), payload));
        entry.payloads().forEach(payload -> payloads.put(payload.digest(), payload));
        this.event = JsonReader.object(entry.event().json());
        this.at = Instant.ofEpochMilli(event.number("at", 0));
        String guid = event.text("guid");
        this.own = guid == null ? Guid.ofStart(workflow) : Guid.ofBase64(guid);
    }

    List<Write> writes() {
        JsonObject started = event.object("started");
        if (started != null) {
            writes.add(new Write.CreateWorkflow(started(started)));
        }
        activities();
        event.list("ledgers").forEach(each -> ledger(guid(each, "guid"), key(each, "key"), each.number("ledger", 0)));
        event.list("moves")
                .forEach(each -> writes.add(new Write.MoveSemaphore(guid(each, "by"), each.number("delta", 0),
                        each.has("marks") ? GuidLedger.CLOSER : 0, each.has("closes"))));
        event.list("joins").forEach(each -> writes.add(new Write.MoveJoin(key(each, "key"),
                (int) each.number("arrivals", 0), guid(each, "by"), each.has("opens"))));
        event.list("signals").forEach(this::signal);
        event.list("effects").forEach(this::effect);
        event.list("attributes").forEach(each -> writes.add(new Write.PutAttribute(attribute(each), at)));
        ends();
        return writes;
    }

    private void activities() {
        for (JsonObject told : event.list("activities")) {
            ActivityKey key = key(told, "key");
            writes.add(activity(key, told));
            if (told.has("message")) {
                ledger(own, key, told.number("message", 0));
            }
        }
    }

    /** What it tells of one activity. */
    List<Write> activities(ActivityKey key) {
        return event.list("activities").stream().filter(told -> key(told, "key").equals(key))
                .map(told -> activity(key, told)).toList();
    }

    /** The number that the next message of the queue gets; null if this event has queued none. */
    @Nullable Long nextNumber() {
        Long next = null;
        for (JsonObject sent : event.list("sent")) {
            next = sent.has("number") ? Long.valueOf(sent.number("number", 0) + 1) : next;
        }
        return next;
    }

    private WorkflowRecord started(JsonObject started) {
        String trigger = event.list("activities").stream()
                .filter(each -> ActivityType.TRIGGER.name().equals(each.text("type")))
                .map(each -> key(each, "key").activity())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the event of the start tells of no trigger"));
        String parent = started.text("parent");
        Origin origin = parent == null ? null
                : new Origin(new Recipient(text(started, "parentGroup"), workflow(parent)),
                        key(started, "parentActivity"),
                        Guid.ofBase64(text(started, "parentAnswer")), started.has("parentAwaits"));
        return WorkflowRecord.created(workflow,
                new Message.Beginning(text(started, "group"), text(started, "definition"),
                        text(started, "version"), trigger, started.number("threshold", 0), payload(started, "input"),
                        origin),
                at);
    }

    private Write activity(ActivityKey key, JsonObject told) {
        ActivityLedger ledger = new ActivityLedger(told.number("ledger", 0));
        String type = told.text("type");
        ActivityRecord born = type == null ? before.existing(key) : born(key, ActivityType.valueOf(type), told);
        String child = told.text("child");
        Recipient started = child == null ? null : new Recipient(text(told, "childGroup"), workflow(child));
        Payload task = told.has("task") ? payload(told, "task") : born.input();
        return new Write.PutActivity(new ActivityRecord(key, born.type(), ledger, born.input(),
                payload(told, "output"),
                Waker.of(Objects.requireNonNullElse(told.freeText("waker"), ""), task, started), started));
    }

    /** A trigger has the input of its workflow. */
    private ActivityRecord born(ActivityKey key, ActivityType type, JsonObject told) {
        JsonObject started = event.object("started");
        JsonObject source = type == ActivityType.TRIGGER && started != null ? started : told;
        return ActivityRecord.plane(key, type, payload(source, "input"));
    }

    private void ledger(Guid guid, ActivityKey activity, long digits) {
        writes.add(new Write.PutGuid(new GuidRecord(guid, activity, new GuidLedger(digits))));
    }

    private void signal(JsonObject told) {
        String taken = told.text("taken");
        if (taken != null) {
            writes.add(new Write.TakeSignal(Guid.ofBase64(taken)));
            return;
        }
        Payload payload = payload(told, "payload");
        Response response = switch (told.text("manner", "")) {
            case "pending" -> new Response.Pending(payload);
            case "failure" -> new Response.Failure(payload);
            default -> new Response.Final(payload);
        };
        writes.add(new Write.BufferSignal(
                new Message.Signal(workflow, Guid.ofBase64(text(told, "kept")),
                        Objects.requireNonNull(told.freeText("topic"), "topic"), response)));
    }

    private void effect(JsonObject told) {
        Effect.Key key = new Effect.Key(text(told, "activity"), text(told, "operation"), text(told, "key"));
        writes.add(new Write.PutEffect(EffectRecord.of(workflow, new Effect(key, EffectStatus.of(text(told, "status")),
                told.has("result") ? payload(told, "result") : null,
                told.has("error") ? payload(told, "error") : null), at)));
    }

    private Attribute attribute(JsonObject told) {
        String name = text(told, "name");
        String removed = told.text("removed");
        if (removed != null) {
            return new Attribute.Removed(new Attribute.Key(removed.equals("memo"), name));
        }
        Payload payload = payload(told, "value");
        String value = new String(payload.bytes(), StandardCharsets.UTF_8);
        return switch (text(told, "type")) {
            case "text" -> new Attribute.Text(name, value);
            case "long" -> new Attribute.Whole(name, Long.parseLong(value));
            case "boolean" -> new Attribute.Flag(name, Boolean.parseBoolean(value));
            case "time" -> new Attribute.Time(name, Instant.parse(value));
            default -> new Attribute.Memo(name, payload);
        };
    }

    private void ends() {
        JsonObject held = event.object("held");
        if (held != null) {
            writes.add(new Write.Hold(WorkflowStatus.valueOf(text(held, "status")), held.freeText("reason")));
        }
        JsonObject closed = event.object("closed");
        if (closed != null) {
            writes.add(
                    new Write.CloseWorkflow(WorkflowStatus.valueOf(text(closed, "status")), payload(closed, "output"),
                            closed.freeText("reason"), Instant.ofEpochMilli(closed.number("at", at.toEpochMilli()))));
        }
    }

    private static String text(JsonObject told, String member) {
        return Objects.requireNonNull(told.text(member), member);
    }

    /** The event's own message, unless another one is named. */
    private Guid guid(JsonObject told, String member) {
        String guid = told.text(member);
        return guid == null ? own : Guid.ofBase64(guid);
    }

    /** No name has a comma in it, and every address begins with one. */
    private static ActivityKey key(JsonObject told, String member) {
        String text = text(told, member);
        int comma = text.indexOf(',');
        return new ActivityKey(text.substring(0, comma), new DimensionalAddress(text.substring(comma)));
    }

    /** No namespace has a slash in it. */
    private static WorkflowKey workflow(String text) {
        int slash = text.indexOf('/');
        return new WorkflowKey(text.substring(0, slash), text.substring(slash + 1));
    }

    private Payload payload(JsonObject told, String member) {
        String digest = told.text(member, "");
        if (digest.isEmpty()) {
            return Payload.EMPTY;
        }
        Payload payload = payloads.get(Hash.ofBase64(digest));
        if (payload == null) {
            throw new IllegalArgumentException("the payload of \"" + member + "\" with the digest " + digest
                    + " is missing, or was changed");
        }
        return payload;
    }
}
