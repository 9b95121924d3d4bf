package dev.pawl.engine.flow;

import dev.pawl.kernel.event.CanonicalJson;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What an operation was asked for, as its row keeps it: by this the code is recognised when it runs again. Members by name. */
final class Header {

    private Header() {
    }

    static Payload step(Guarantee guarantee) {
        return payload(Json.object().put("guarantee", guarantee.text()).put("kind", "step"));
    }

    /** The invocation is the hash of what was asked for; the arguments stand beside it so that people can see what they were. */
    static Payload activity(String name, Guarantee guarantee, Hash invocation, String key, String arguments) {
        return payload(Json.object().put("activity", name).putJson("arguments", arguments)
                .put("guarantee", guarantee.text()).put("invocation", invocation.hex()).put("key", key)
                .put("kind", "activity"));
    }

    /** The one spelling of somebody's JSON: another order of its members does not make it another value. */
    static String canonical(Payload payload) {
        try {
            return payload.size() == 0 ? "null" : CanonicalJson.of(FlowRuntime.utf8(payload));
        } catch (IllegalArgumentException e) {
            throw PayloadError.unreadable("a codec must write JSON, but " + e.getMessage(), e);
        }
    }

    /** Whether an operation that was asked for so sets attributes or memos; a few others look the same, and do no harm. */
    static boolean setsAttribute(Payload header) {
        String text = FlowRuntime.utf8(header);
        return text.startsWith("{\"kind\":\"attribute\"") || text.startsWith("{\"kind\":\"memo\"");
    }

    static Payload of(String kind) {
        return payload(Json.object().put("kind", kind));
    }

    /** {@code name} must come after "kind". */
    static Payload of(String kind, String name, String value) {
        return payload(Json.object().put("kind", kind).put(name, value));
    }

    /** {@link #toldOfParentEnd} reads it. */
    static Payload child(String workflowId, Flow<?, ?> flow, Payload arguments, ParentEnd onParentEnd) {
        Json json = Json.object().putJson("arguments", canonical(arguments)).put("kind", "child")
                .put("name", flow.name());
        return payload((onParentEnd == ParentEnd.ABANDON ? json : json.put("onParentEnd", onParentEnd.text()))
                .put("workflowId", workflowId));
    }

    /** At the end, after everything that is a user's: neither names nor ids have quotation marks. */
    private static final Pattern ON_PARENT_END = Pattern
            .compile("\"kind\":\"child\",\"name\":\"[^\"]*\",\"onParentEnd\":\"([^\"]*)\",\"workflowId\":\"[^\"]*\"}$");

    /** Whether the child that was asked for so is to be told of its parent's end. */
    static boolean toldOfParentEnd(Payload header) {
        return ON_PARENT_END.matcher(FlowRuntime.utf8(header)).find();
    }

    static Payload message(String kind, String workflowId, String topic, Payload arguments) {
        return payload(Json.object().putJson("arguments", canonical(arguments)).put("kind", kind)
                .put("topic", topic).put("workflowId", workflowId));
    }

    static Payload update(String at, String name, int number, Payload arguments) {
        return payload(Json.object().putJson("arguments", FlowRuntime.utf8(arguments)).put("at", at)
                .put("kind", "update").put("name", name).put("number", number));
    }

    private static Payload payload(Json json) {
        return Payload.of(json.end().getBytes(StandardCharsets.UTF_8));
    }
}
