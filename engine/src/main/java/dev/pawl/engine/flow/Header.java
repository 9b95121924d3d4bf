package dev.pawl.engine.flow;

import dev.pawl.kernel.event.CanonicalJson;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;

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

    static Payload of(String kind) {
        return payload(Json.object().put("kind", kind));
    }

    /** {@code name} must come after "kind". */
    static Payload of(String kind, String name, String value) {
        return payload(Json.object().put("kind", kind).put(name, value));
    }

    static Payload child(String workflowId, Flow<?, ?> flow, Payload arguments) {
        return payload(Json.object().putJson("arguments", canonical(arguments)).put("kind", "child")
                .put("name", flow.name()).put("workflowId", workflowId));
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
