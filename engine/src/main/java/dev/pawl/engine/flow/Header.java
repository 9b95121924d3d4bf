package dev.pawl.engine.flow;

import dev.pawl.kernel.event.CanonicalJson;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an operation was asked for, as its row keeps it: by this the code is recognised when it runs again. Members by name. */
final class Header {

    static final String ACTIVITY = "activity";
    static final String COMPENSATION = "compensation";

    private Header() {
    }

    static Payload step(Guarantee guarantee) {
        return payload(Json.object().put("guarantee", guarantee.text()).put("kind", "step"));
    }

    /**
     * The invocation is the hash of what was asked for; the arguments stand beside it so that people can see what they were. What a codec
     * has encrypted is not hashed: the hash of a short value gives it away.
     */
    static Payload activity(String kind, String name, Guarantee guarantee, Hash invocation, String key,
            Arguments arguments) {
        Json json = arguments.plain(Json.object().put("activity", name)).put("guarantee", guarantee.text())
                .put("invocation", invocation.hex()).put("key", key).put("kind", kind);
        return payload(arguments.sealed(json));
    }

    /** What compensates an operation. */
    static Payload compensation(String name, Guarantee guarantee, String key, String compensated) {
        return payload(Json.object().put("activity", name).put("compensates", compensated)
                .put("guarantee", guarantee.text()).put("key", key).put("kind", COMPENSATION));
    }

    /**
     * The arguments of an operation among the members of its header: JSON in one spelling, or what a codec has made of it in base64. Only
     * one of the two is there.
     */
    record Arguments(@Nullable String json, @Nullable String base64) {

        /** In the one spelling of JSON: another order of its members does not make it another value. */
        static Arguments of(Payload payload) {
            String canonical = canonical(payload);
            return canonical != null ? new Arguments(canonical, null) : sealed(payload);
        }

        /** Byte by byte, to be read again. */
        static Arguments exactly(Payload payload) {
            return canonical(payload) != null && payload.size() > 0 ? new Arguments(FlowRuntime.utf8(payload), null)
                    : sealed(payload);
        }

        private static Arguments sealed(Payload payload) {
            return new Arguments(null, Base64.getEncoder().encodeToString(payload.bytes()));
        }

        /** What stands for them in a hash. */
        String hashed() {
            return json == null ? SEALED : json;
        }

        private Json plain(Json before) {
            return json == null ? before : before.putJson(ARGUMENTS, json);
        }

        private Json sealed(Json before) {
            return base64 == null ? before : before.put(SEALED, base64);
        }
    }

    /** The arguments in a header, as {@link Arguments} has put them there; null if it has none. */
    static @Nullable Payload arguments(Map<String, String> members) {
        String base64 = RecordJson.text(members, SEALED);
        String json = members.get(ARGUMENTS);
        return base64 != null ? Payload.of(Base64.getDecoder().decode(base64))
                : json == null ? null : Payload.of(json.getBytes(StandardCharsets.UTF_8));
    }

    /** What was asked for, for people: without the arguments, and without their hash, which gives short ones away. */
    static String shown(Payload header) {
        if (header.size() == 0) {
            return "";
        }
        Map<String, String> members = RecordJson.members(header);
        members.keySet().removeAll(OF_ARGUMENTS);
        Json json = Json.object();
        members.forEach(json::putJson);
        return json.end();
    }

    /** Whether the same was asked for, however a codec writes the arguments this time. */
    static boolean same(Payload recorded, Payload asked, Codec codec) {
        if (recorded.equals(asked)) {
            return true;
        }
        if (recorded.size() == 0 || asked.size() == 0) {
            return false;
        }
        Map<String, String> before = RecordJson.members(recorded);
        Map<String, String> now = RecordJson.members(asked);
        Payload one = arguments(before);
        Payload other = arguments(now);
        before.keySet().removeAll(OF_ARGUMENTS);
        now.keySet().removeAll(OF_ARGUMENTS);
        return one != null && other != null && before.equals(now) && codec.same(one, other);
    }

    private static final String ARGUMENTS = "arguments";
    private static final String SEALED = "sealed";
    private static final Set<String> OF_ARGUMENTS = Set.of(ARGUMENTS, SEALED, "invocation");

    /** The one spelling of a payload that is JSON; null if it is none. */
    static @Nullable String canonical(Payload payload) {
        try {
            return payload.size() == 0 ? "null" : CanonicalJson.of(FlowRuntime.utf8(payload));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether both are JSON, and the same. */
    static boolean sameJson(Payload one, Payload other) {
        String canonical = canonical(one);
        return canonical != null && canonical.equals(canonical(other));
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
    static Payload child(String workflowId, Flow<?, ?> flow, Payload input, ParentEnd onParentEnd) {
        Arguments arguments = Arguments.of(input);
        Json json = arguments.plain(Json.object()).put("kind", "child").put("name", flow.name());
        return payload(arguments.sealed(
                onParentEnd == ParentEnd.ABANDON ? json : json.put("onParentEnd", onParentEnd.text()))
                .put("workflowId", workflowId));
    }

    /** At the end, after everything that is a user's: neither names nor ids have quotation marks. */
    private static final Pattern ON_PARENT_END = Pattern.compile("\"kind\":\"child\",\"name\":\"[^\"]*\","
            + "\"onParentEnd\":\"([^\"]*)\",(?:\"sealed\":\"[^\"]*\",)?\"workflowId\":\"[^\"]*\"}$");

    /** Whether the child that was asked for so is to be told of its parent's end. */
    static boolean toldOfParentEnd(Payload header) {
        return ON_PARENT_END.matcher(FlowRuntime.utf8(header)).find();
    }

    static Payload message(String kind, String workflowId, String topic, Payload sent) {
        Arguments arguments = Arguments.of(sent);
        return payload(arguments.sealed(arguments.plain(Json.object()).put("kind", kind)).put("topic", topic)
                .put("workflowId", workflowId));
    }

    /** {@link UpdateRecords} reads it: the input is kept as it came. */
    static Payload update(String kind, String at, String name, int number, Payload input) {
        Arguments arguments = Arguments.exactly(input);
        return payload(arguments.sealed(arguments.plain(Json.object()).put("at", at).put("kind", kind)
                .put("name", name).put("number", number)));
    }

    /** Where a segment of a handler ran; {@link UpdateRecords} reads it. */
    static Payload handler(String at, String name, int number) {
        return payload(Json.object().put("at", at).put("kind", "handler").put("name", name).put("number", number));
    }

    private static Payload payload(Json json) {
        return Payload.of(json.end().getBytes(StandardCharsets.UTF_8));
    }
}
