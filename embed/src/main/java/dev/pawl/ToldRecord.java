package dev.pawl;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A workflow as its events tell of it, in order; docs/SCHEMA.md has every member of an event. Not thread-safe. */
final class ToldRecord {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Map<String, JsonNode> activities = new TreeMap<>();
    private final Map<String, String> inputs = new HashMap<>();
    private final Map<List<String>, JsonNode> effects = new HashMap<>();
    private final Map<List<String>, JsonNode> attributes = new HashMap<>();
    private final Map<String, String> signals = new HashMap<>();
    private JsonNode started = MAPPER.createObjectNode();
    private String status = WorkflowStatus.RUNNING.name();
    private String output = "";
    private long semaphore = 1;
    private long events;
    private List<CheckReport.Difference> differences = List.of();

    long events() {
        return events;
    }

    /** Reads events up to a version, and returns them. */
    List<Event> add(List<Event> page, long version) {
        for (Event event : page) {
            if (event.number() == events + 1 && event.number() <= version) {
                add(MAPPER.readTree(event.json()));
                events++;
            }
        }
        return page;
    }

    private void add(JsonNode event) {
        if (event.has("started")) {
            started = event.get("started");
        }
        for (JsonNode activity : event.path("activities")) {
            String key = activity.path("key").asString("");
            activities.put(key, activity);
            // The input is told while leg one is under way for the first time, and so is the type.
            if (activity.has("type")) {
                inputs.put(key, digest(activity, "input"));
            }
        }
        event.path("moves").forEach(move -> semaphore += move.path("delta").asLong());
        event.path("effects").forEach(effect -> effects.put(List.of(effect.path("operation").asString(""),
                effect.path("activity").asString(""), effect.path("key").asString("")), effect));
        for (JsonNode attribute : event.path("attributes")) {
            boolean memo = attribute.path("type").asString("").equals("memo")
                    || attribute.path("removed").asString("").equals("memo");
            attributes.put(List.of(memo ? "memo" : "attribute", attribute.path("name").asString("")), attribute);
        }
        for (JsonNode signal : event.path("signals")) {
            if (signal.has("kept")) {
                signals.put(signal.get("kept").asString(""), digest(signal, "payload"));
            } else {
                signals.remove(signal.path("taken").asString(""));
            }
        }
        status = event.path("closed").path("status").asString(event.path("held").path("status").asString(status));
        if (event.has("closed")) {
            output = digest(event.get("closed"), "output");
        }
    }

    private static String digest(JsonNode node, String member) {
        return node.path(member).asString("");
    }

    private static String digest(@Nullable Payload payload) {
        return payload == null || payload.size() == 0 ? "" : payload.digest().base64();
    }

    /** Adds what of the rows is not as it was told. Effects and attributes are not compared where they are null. */
    void compare(WorkflowRecord workflow, Snapshot rows, @Nullable List<EffectRecord> effectRows,
            @Nullable List<Attribute> attributeRows, List<CheckReport.Difference> found) {
        differences = found;
        workflow(workflow);
        Set<String> there = new HashSet<>();
        rows.activities().forEach(row -> {
            String key = row.key().activity() + row.key().address().drawing();
            there.add(key);
            activity(workflow.trigger(), key, row);
        });
        activities.keySet().stream().filter(key -> !there.contains(key))
                .forEach(key -> differs(name(key), "is missing"));
        rows.signals().forEach(this::signal);
        signals.keySet().forEach(guid -> differs("signal " + guid, "was kept and is missing"));
        if (effectRows != null) {
            effectRows.forEach(this::effect);
            effects.keySet().forEach(key -> differs("effect of " + key.getFirst(), "is missing"));
        }
        if (attributeRows != null) {
            attributeRows.forEach(this::attribute);
            attributes.forEach((key, told) -> {
                if (!told.has("removed")) {
                    differs(String.join(" ", key), "is missing");
                }
            });
        }
    }

    private void workflow(WorkflowRecord row) {
        same("workflow", "input", digest(started, "input"), digest(row.beginning().input()));
        same("workflow", "definition", started.path("definition").asString(""), row.beginning().definition());
        same("workflow", "version of the definition", started.path("version").asString(""),
                row.beginning().definitionVersion());
        same("workflow", "group", started.path("group").asString(""), row.beginning().group());
        same("workflow", "threshold", started.path("threshold").asString("0"), Long.toString(row.gate().threshold()));
        same("workflow", "status", status, row.status().name());
        same("workflow", "result", output, digest(row.output()));
        same("workflow", "semaphore", Long.toString(semaphore), Long.toString(row.gate().semaphore().open()));
    }

    private void activity(ActivityKey trigger, String key, ActivityRecord row) {
        String name = name(key);
        JsonNode told = activities.get(key);
        if (told == null) {
            differs(name, "is there, but no event tells of it");
            return;
        }
        String input = row.key().equals(trigger) ? digest(started, "input") : inputs.get(key);
        if (input != null) {
            same(name, "input", input, digest(row.input()));
        }
        same(name, "output", digest(told, "output"), digest(row.output()));
        same(name, "ledger", told.path("ledger").asString(""), Long.toString(row.ledger().digits()));
        same(name, "wait", told.path("waker").asString(""), row.waker().text());
        same(name, "child", told.path("child").asString(""),
                row.child() == null ? "" : row.child().workflow().toString());
        if (row.waker() instanceof Waker.Task task && !task.input().equals(row.input())) {
            same(name, "input of the task", digest(told, "task"), digest(task.input()));
        }
    }

    private void signal(Message.Signal row) {
        String guid = row.guid().base64();
        String told = signals.remove(guid);
        if (told == null) {
            differs("signal " + guid, "is there, but no event tells of it");
        } else {
            same("signal " + guid, "payload", told, digest(row.response().payload()));
        }
    }

    private void effect(EffectRecord row) {
        List<String> key = List.of(row.effect().key().operationId(), row.effect().key().activityName(),
                row.effect().key().idempotencyKey());
        JsonNode told = effects.remove(key);
        String where = "effect of " + key.getFirst();
        if (told == null) {
            differs(where, "is there, but no event tells of it");
            return;
        }
        same(where, "status", told.path("status").asString(""), row.effect().status().text());
        same(where, "result", digest(told, "result"), digest(row.effect().result()));
        same(where, "error", digest(told, "error"), digest(row.effect().error()));
    }

    private void attribute(Attribute row) {
        List<String> key = List.of(row.key().memo() ? "memo" : "attribute", row.key().name());
        JsonNode told = attributes.remove(key);
        if (told == null || told.has("removed")) {
            differs(String.join(" ", key), "is there, but no event tells of it");
        } else {
            same(String.join(" ", key), "value", told.path("value").asString(""), value(row).digest().base64());
        }
    }

    private static Payload value(Attribute row) {
        return switch (row) {
            case Attribute.Text text -> payload(text.value());
            case Attribute.Whole whole -> payload(Long.toString(whole.value()));
            case Attribute.Flag flag -> payload(Boolean.toString(flag.value()));
            case Attribute.Time time -> payload(time.value().toString());
            case Attribute.Memo memo -> memo.value();
            case Attribute.Removed removed -> Payload.EMPTY;
        };
    }

    private static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String name(String key) {
        return "operation " + key;
    }

    private void same(String where, String what, String told, String row) {
        if (!told.equals(row)) {
            differs(where, "its " + what + " is not the one that was written");
        }
    }

    private void differs(String where, String what) {
        differences.add(new CheckReport.Difference(where, what));
    }
}
