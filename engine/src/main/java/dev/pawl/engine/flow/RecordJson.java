package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the engine records for itself, as JSON that {@link Json} has written. Members are kept as the text they were written as, so that
 * a payload among them comes out byte by byte. Reads what the engine has written, and nothing else: it is no parser for users.
 */
final class RecordJson {

    private static final int HEX = 16;

    private final String text;
    private int at;

    private RecordJson(String text) {
        this.text = text;
    }

    // Texts and numbers on their own.

    static Payload of(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2);
        Json.string(json, text);
        return Payload.of(json.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** A number or a truth on its own. */
    static Payload literal(Object value) {
        return Payload.of(value.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** A text on its own; what is no JSON string is the text itself. */
    static String text(Payload payload) {
        String json = FlowRuntime.utf8(payload);
        return json.startsWith("\"") && json.endsWith("\"") && json.length() > 1 ? text(json) : json;
    }

    static int number(Payload payload) {
        return Integer.parseInt(FlowRuntime.utf8(payload));
    }

    // Objects and lists.

    /** The members of an object, each as the JSON it was written as. Throws {@link IllegalArgumentException} if it is none. */
    static Map<String, String> members(String json) {
        RecordJson reader = new RecordJson(json);
        Map<String, String> members = new LinkedHashMap<>();
        reader.expect('{');
        while (reader.more('}')) {
            String name = text(reader.value());
            reader.expect(':');
            members.put(name, reader.value());
        }
        return members;
    }

    static Map<String, String> members(Payload payload) {
        return members(FlowRuntime.utf8(payload));
    }

    /** The texts of a list. */
    static List<String> texts(String json) {
        RecordJson reader = new RecordJson(json);
        List<String> texts = new ArrayList<>();
        reader.expect('[');
        while (reader.more(']')) {
            texts.add(text(reader.value()));
        }
        return texts;
    }

    /** The text of a member; null if it is not there. */
    static @Nullable String text(Map<String, String> members, String name) {
        String json = members.get(name);
        return json == null || json.equals("null") ? null : text(json);
    }

    /** The text that a JSON string stands for. */
    private static String text(String json) {
        if (json.indexOf('\\') < 0) {
            return json.substring(1, json.length() - 1);
        }
        StringBuilder text = new StringBuilder(json.length());
        for (int i = 1; i < json.length() - 1; i++) {
            char c = json.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escaped = json.charAt(++i);
            switch (escaped) {
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    text.append((char) Integer.parseInt(json, i + 1, i + 5, HEX));
                    i += 4;
                }
                default -> text.append(escaped);
            }
        }
        return text.toString();
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private void expect(char expected) {
        space();
        if (at >= text.length() || text.charAt(at) != expected) {
            throw new IllegalArgumentException("this is no record of the engine: no " + expected + " at " + at);
        }
        at++;
    }

    /** Whether there is another member; goes over the comma before it, or over the end. */
    private boolean more(char end) {
        space();
        if (at < text.length() && text.charAt(at) == ',') {
            at++;
            space();
            return true;
        }
        if (at < text.length() && text.charAt(at) == end) {
            at++;
            return false;
        }
        if (at >= text.length()) {
            throw new IllegalArgumentException("this is no record of the engine: it has no " + end);
        }
        return true;
    }

    /** The JSON of one value, whatever is in it. */
    private String value() {
        space();
        int begin = at;
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                string();
            } else if (c == '{' || c == '[') {
                depth++;
                at++;
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':')) {
                break;
            } else {
                depth -= c == '}' || c == ']' ? 1 : 0;
                at++;
            }
        }
        return text.substring(begin, at).strip();
    }

    private void string() {
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }
}
