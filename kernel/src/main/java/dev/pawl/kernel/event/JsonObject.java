package dev.pawl.kernel.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object that was read from an event. A member of another kind than asked for is a {@link ClassCastException}: the event was changed. */
public final class JsonObject {

    private final Map<String, Object> members;

    JsonObject(Map<String, Object> members) {
        this.members = members;
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    public @Nullable String text(String name) {
        return (String) members.get(name);
    }

    public String text(String name, String missing) {
        return (String) members.getOrDefault(name, missing);
    }

    /** Reads what {@link Json#putFreeText} writes. */
    public @Nullable String freeText(String name) {
        String text = text(name);
        return text == null ? null : FreeText.read(text);
    }

    /** Numbers that a double would round are written as strings. */
    public long number(String name, long missing) {
        Object value = members.getOrDefault(name, missing);
        return value instanceof String text ? Long.parseLong(text) : (Long) value;
    }

    public @Nullable JsonObject object(String name) {
        return (JsonObject) members.get(name);
    }

    @SuppressWarnings("unchecked") // The reader makes lists of objects alone.
    public List<JsonObject> list(String name) {
        return (List<JsonObject>) members.getOrDefault(name, List.of());
    }
}
