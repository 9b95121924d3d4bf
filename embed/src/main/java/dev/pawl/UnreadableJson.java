package dev.pawl;

import dev.pawl.engine.flow.PayloadError;
import java.lang.reflect.Type;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says why JSON is not a value of a type: where, what the type has there, and what the JSON has. By shapes and names of types, never by
 * values, and not in Jackson's words, which quote them.
 */
final class UnreadableJson {

    private final StringBuilder path = new StringBuilder("$");
    private JsonNode node;

    private UnreadableJson(JsonNode root) {
        this.node = root;
    }

    static PayloadError describe(JacksonException error, byte[] json, Type type, JsonMapper mapper) {
        JsonNode root;
        try {
            root = mapper.readTree(json);
        } catch (JacksonException e) {
            return PayloadError.unreadable(type, "$", type.getTypeName(), json.length + " bytes that are no JSON");
        }
        UnreadableJson place = new UnreadableJson(root);
        error.getPath().forEach(place::enter);
        return PayloadError.unreadable(type, place.path.toString(), wanted(error), shape(place.node));
    }

    private void enter(Reference reference) {
        String name = reference.getPropertyName();
        if (name == null) {
            path.append('[').append(reference.getIndex()).append(']');
            node = node.path(reference.getIndex());
        } else {
            // The keys of a map are the user's.
            path.append(isMap(reference.from()) ? ".*" : "." + name);
            node = node.path(name);
        }
    }

    private static boolean isMap(Object from) {
        return from instanceof Map || (from instanceof Class<?> type && Map.class.isAssignableFrom(type));
    }

    private static String wanted(JacksonException error) {
        Class<?> target = error instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        String kind = error.getClass().getSimpleName();
        return target == null ? "something else (" + kind + ")" : target.getTypeName() + " (" + kind + ")";
    }

    private static String shape(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "an object with " + node.size() + " members";
            case ARRAY -> "a list of " + node.size();
            case STRING -> "a text of " + node.stringValue().length() + " characters";
            case NUMBER -> node.isIntegralNumber() ? "a whole number" : "a decimal number";
            case BOOLEAN -> "a truth";
            case NULL -> "null";
            case MISSING -> "nothing";
            case BINARY, POJO -> "something that is no JSON";
        };
    }
}
