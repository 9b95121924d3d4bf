package dev.pawl.kernel.event;

import java.util.Collection;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Writes the one spelling RFC 8785 gives to objects of strings and whole numbers. By hand, because the kernel depends on
 * nothing; the testkit holds it against a library.
 *
 * <p>Members must come in the order of their names; {@link #member} refuses any other order. Names are ours, and have nothing
 * to escape.
 */
public final class Json {

    /** Up to here a number of JSON, which is a double, is exact. */
    private static final long EXACT_MAX = (1L << 53) - 1;

    private final StringBuilder text = new StringBuilder(256);
    private @Nullable String last;

    private Json() {
        text.append('{');
    }

    public static Json object() {
        return new Json();
    }

    public Json put(String name, String value) {
        member(name);
        string(text, value);
        return this;
    }

    /** Text that may be anything: halves of characters, which JSON has no spelling for, can be read back by {@link JsonObject#freeText}. */
    public Json putFreeText(String name, String value) {
        return put(name, FreeText.spelled(value));
    }

    /** A number that a reader would have to round is written as a string: RFC 8785 has no other spelling for it. */
    public Json put(String name, long value) {
        if (value < -EXACT_MAX || value > EXACT_MAX) {
            return put(name, Long.toString(value));
        }
        member(name);
        text.append(value);
        return this;
    }

    public Json put(String name, boolean value) {
        member(name);
        text.append(value);
        return this;
    }

    /** A member whose value is JSON already. */
    public Json putJson(String name, CharSequence json) {
        member(name);
        text.append(json);
        return this;
    }

    /** An object, left out if there is none. */
    public Json put(String name, @Nullable Json object) {
        if (object != null) {
            member(name);
            text.append(object.text).append('}');
        }
        return this;
    }

    /** A list, left out if it is empty. */
    public Json put(String name, Collection<Json> objects) {
        if (!objects.isEmpty()) {
            member(name);
            char before = '[';
            for (Json each : objects) {
                text.append(before).append(each.text).append('}');
                before = ',';
            }
            text.append(']');
        }
        return this;
    }

    public String end() {
        return text.append('}').toString();
    }

    private void member(String name) {
        if (last != null && last.compareTo(name) >= 0) {
            throw new IllegalStateException("'" + name + "' must come before '" + last + "'");
        }
        if (last != null) {
            text.append(',');
        }
        last = name;
        text.append('"').append(name).append("\":");
    }

    /** Appends a string with its quotes. */
    public static void string(StringBuilder text, String value) {
        text.append('"');
        if (plain(value)) {
            text.append(value);
        } else {
            escaped(text, value);
        }
        text.append('"');
    }

    /** As nearly all are. */
    private static boolean plain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }

    private static void escaped(StringBuilder text, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isSurrogate(c)) {
                i += surrogate(text, value, i);
            } else {
                character(text, c);
            }
        }
    }

    /** A half without its other half is not a character; it is drawn as the sign for that. Returns how much more was read. */
    private static int surrogate(StringBuilder text, String value, int i) {
        int codePoint = value.codePointAt(i);
        boolean pair = Character.isSupplementaryCodePoint(codePoint);
        text.appendCodePoint(pair ? codePoint : 0xFFFD);
        return pair ? 1 : 0;
    }

    private static void character(StringBuilder text, char c) {
        switch (c) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\b' -> text.append("\\b");
            case '\t' -> text.append("\\t");
            case '\n' -> text.append("\\n");
            case '\f' -> text.append("\\f");
            case '\r' -> text.append("\\r");
            default -> {
                if (c < ' ') {
                    text.append("\\u").append(HexFormat.of().toHexDigits(c));
                } else {
                    text.append(c);
                }
            }
        }
    }
}
