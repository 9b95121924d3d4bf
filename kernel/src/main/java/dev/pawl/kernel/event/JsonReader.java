package dev.pawl.kernel.event;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@link Json} writes: objects, lists, strings, whole numbers and {@code true}. Anything else is refused, because no event
 * has it.
 */
public final class JsonReader {

    private static final String ESCAPES = "\"\\bfnrt";
    private static final String ESCAPED = "\"\\\b\f\n\r\t";

    private final String json;
    private int at;

    private JsonReader(String json) {
        this.json = json;
    }

    /** Throws {@link IllegalArgumentException} if it is not an object as {@link Json} writes it. */
    public static JsonObject object(String json) {
        JsonReader reader = new JsonReader(json);
        try {
            reader.expect('{');
            JsonObject read = reader.members();
            if (reader.at < json.length()) {
                throw reader.bad();
            }
            return read;
        } catch (StringIndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalArgumentException("this event is cut off or damaged", e);
        }
    }

    private JsonObject members() {
        Map<String, Object> members = new LinkedHashMap<>();
        while (!ends('}', members.isEmpty())) {
            String name = string();
            expect(':');
            members.put(name, value());
        }
        return new JsonObject(members);
    }

    private List<JsonObject> list() {
        List<JsonObject> list = new ArrayList<>();
        while (!ends(']', list.isEmpty())) {
            expect('{');
            list.add(members());
        }
        return list;
    }

    /** Whether the last one was read; if not, the comma before the next one is read. */
    private boolean ends(char end, boolean none) {
        char next = json.charAt(at);
        if (next == end) {
            at++;
        } else if (!none) {
            expect(',');
        }
        return next == end;
    }

    private Object value() {
        char first = json.charAt(at);
        if (first == '"') {
            return string();
        }
        if (first == '{') {
            at++;
            return members();
        }
        if (first == '[') {
            at++;
            return list();
        }
        return first == 't' ? yes() : (Object) number();
    }

    private Boolean yes() {
        if (!json.startsWith("true", at)) {
            throw bad();
        }
        at += "true".length();
        return true;
    }

    private Long number() {
        int begin = at;
        while (json.charAt(at) == '-' || Character.isDigit(json.charAt(at))) {
            at++;
        }
        return Long.valueOf(json.substring(begin, at));
    }

    private String string() {
        expect('"');
        int begin = at;
        int quote = json.indexOf('"', begin);
        // As nearly all are. Looked for no further than the string goes: an event may have thousands of them.
        if (quote >= 0 && json.indexOf('\\', begin, quote) < 0) {
            at = quote + 1;
            return json.substring(begin, quote);
        }
        StringBuilder text = new StringBuilder();
        for (char c = json.charAt(at++); c != '"'; c = json.charAt(at++)) {
            text.append(c == '\\' ? escaped() : c);
        }
        return text.toString();
    }

    private char escaped() {
        char c = json.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) HexFormat.fromHexDigits(json, at - 4, at);
        }
        int known = ESCAPES.indexOf(c);
        if (known < 0) {
            throw bad();
        }
        return ESCAPED.charAt(known);
    }

    private void expect(char expected) {
        if (json.charAt(at) != expected) {
            throw bad();
        }
        at++;
    }

    /** Not the text itself: it may hold what users have written. */
    private IllegalArgumentException bad() {
        return new IllegalArgumentException("this event is not as it was written, from character " + at + " on");
    }
}
