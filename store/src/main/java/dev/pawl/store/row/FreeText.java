package dev.pawl.store.row;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text of the user's in a column of type text. Databases have no place for NUL in it, nor for half a surrogate pair, so NUL is
 * written {@code \0}, a half {@code \}{@code uD83D} and a backslash {@code \\}: two different texts never come out the same, and
 * nothing else changes.
 */
public final class FreeText {

    private static final Pattern ESCAPED = Pattern.compile("\\\\(0|u[0-9A-F]{4}|\\\\)");

    private FreeText() {
    }

    public static String column(String text) {
        if (text.chars().noneMatch(c -> c == '\\' || c == '\0' || Character.isSurrogate((char) c))) {
            return text;
        }
        StringBuilder column = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\\' -> column.append("\\\\");
                case '\0' -> column.append("\\0");
                default -> {
                    if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                        column.append("\\u").append(HexFormat.of().withUpperCase().toHexDigits((char) c));
                    } else {
                        column.appendCodePoint(c);
                    }
                }
            }
        });
        return column.toString();
    }

    public static @Nullable String columnOrNull(@Nullable String text) {
        return text == null ? null : column(text);
    }

    public static String text(String column) {
        if (column.indexOf('\\') < 0) {
            return column;
        }
        return ESCAPED.matcher(column).replaceAll(found -> Matcher.quoteReplacement(switch (found.group(1).charAt(0)) {
            case '0' -> "\0";
            case 'u' -> String.valueOf((char) HexFormat.fromHexDigits(found.group(1), 1, found.group(1).length()));
            default -> "\\";
        }));
    }

    public static @Nullable String textOrNull(@Nullable String column) {
        return column == null ? null : text(column);
    }
}
