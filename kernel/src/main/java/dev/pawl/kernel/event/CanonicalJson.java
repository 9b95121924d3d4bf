package dev.pawl.kernel.event;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Somebody's JSON in the one spelling RFC 8785 gives to it, so that two programs that write the same value write the same text. By
 * hand, because the kernel depends on nothing; the testkit holds it against a library.
 *
 * <p>One thing is its own: a whole number that RFC 8785 would round keeps its digits. Two account numbers must not become one.
 */
public final class CanonicalJson {

    private static final int DEPTH_MAX = 1_000;
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private static final char END = '\uFFFF';

    /** Every whole number of so many digits is a number of JSON, which is a double. */
    private static final int EXACT_DIGITS = 15;
    private static final int PLAIN_EXPONENT_MAX = 21;
    private static final int PLAIN_EXPONENT_MIN = -6;

    private final String json;
    private final StringBuilder text;
    private int at;
    private int depth;

    private CanonicalJson(String json) {
        this.json = json;
        this.text = new StringBuilder(json.length());
    }

    /** Throws {@link IllegalArgumentException} if it is not JSON, or has a number, a half character or a name twice that RFC 8785 refuses. */
    public static String of(String json) {
        CanonicalJson reader = new CanonicalJson(json);
        reader.value();
        reader.next();
        if (reader.at < json.length()) {
            throw reader.bad("more after the end");
        }
        return reader.text.toString();
    }

    private void value() {
        switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> Json.string(text, string());
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    /** The next character that is not space; it stays where it is. */
    private char next() {
        while (at < json.length() && " \t\n\r".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at < json.length() ? json.charAt(at) : END;
    }

    private void expect(char expected) {
        if (next() != expected) {
            throw bad("no " + expected);
        }
        at++;
    }

    private void deeper() {
        at++;
        if (++depth > DEPTH_MAX) {
            throw bad("nested more than " + DEPTH_MAX + " deep");
        }
    }

    private void word(String word) {
        if (!json.startsWith(word, at)) {
            throw bad("no value");
        }
        at += word.length();
        text.append(word);
    }

    /** Members in the order of their names, by UTF-16 code units: that is the order Java has for strings. */
    private void object() {
        deeper();
        Map<String, String> members = new TreeMap<>();
        for (boolean first = true; next() != '}'; first = false) {
            if (!first) {
                expect(',');
            }
            if (next() != '"') {
                throw bad("no name");
            }
            String name = string();
            expect(':');
            int begin = text.length();
            value();
            if (members.put(name, text.substring(begin)) != null) {
                throw bad("a name that was there before");
            }
            text.setLength(begin);
        }
        at++;
        depth--;
        text.append('{');
        members.forEach((name, value) -> {
            Json.string(text.append(text.charAt(text.length() - 1) == '{' ? "" : ","), name);
            text.append(':').append(value);
        });
        text.append('}');
    }

    private void array() {
        deeper();
        text.append('[');
        for (boolean first = true; next() != ']'; first = false) {
            if (!first) {
                expect(',');
                text.append(',');
            }
            value();
        }
        at++;
        depth--;
        text.append(']');
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        at++;
        for (char c = character(); c != '"'; c = character()) {
            string.append(c == '\\' ? escaped() : c);
        }
        if (string.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw bad("half a character");
        }
        return string.toString();
    }

    private char character() {
        char c = at < json.length() ? json.charAt(at++) : '\0';
        if (c < ' ') {
            throw bad("a string that does not end, or a control character in it");
        }
        return c;
    }

    private char escaped() {
        char c = character();
        if (c != 'u') {
            int known = ESCAPES.indexOf(c);
            if (known < 0) {
                throw bad("an escape that is none");
            }
            return ESCAPED.charAt(known);
        }
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char digit = character();
            if (!HexFormat.isHexDigit(digit)) {
                throw bad("an escape that is none");
            }
            code = code * 16 + HexFormat.fromHexDigit(digit);
        }
        return (char) code;
    }

    private void number() {
        Matcher found = NUMBER.matcher(json).region(at, json.length());
        if (!found.lookingAt()) {
            throw bad("no value");
        }
        at = found.end();
        boolean whole = found.group(1) == null && found.group(2) == null;
        String token = found.group();
        text.append(whole ? whole(token) : fraction(token));
    }

    private static String whole(String token) {
        if (token.length() <= EXACT_DIGITS) {
            return token.equals("-0") ? "0" : token;
        }
        double rounded = Double.parseDouble(token);
        boolean exact = Double.isFinite(rounded) && new BigDecimal(rounded).compareTo(new BigDecimal(token)) == 0;
        return exact ? spelled(rounded) : token;
    }

    private String fraction(String token) {
        double number = Double.parseDouble(token);
        if (!Double.isFinite(number)) {
            throw bad("a number that is too large");
        }
        return spelled(number);
    }

    /** As ECMAScript spells it: as few digits as tell it from its neighbours, an exponent only where it would be long without. */
    private static String spelled(double number) {
        if (number == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(Math.abs(number));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        StringBuilder spelled = new StringBuilder(number < 0 ? "-" : "");
        if (point > PLAIN_EXPONENT_MAX || point <= PLAIN_EXPONENT_MIN) {
            spelled.append(digits.charAt(0)).append(digits.length() > 1 ? "." : "").append(digits, 1, digits.length());
            return spelled.append(point > 0 ? "e+" : "e").append(point - 1).toString();
        }
        if (point <= 0) {
            return spelled.append("0.").append("0".repeat(-point)).append(digits).toString();
        }
        if (digits.length() <= point) {
            return spelled.append(digits).append("0".repeat(point - digits.length())).toString();
        }
        return spelled.append(digits, 0, point).append('.').append(digits, point, digits.length()).toString();
    }

    /** Java writes two digits at least, and means them; ECMAScript is content with one where one is enough. */
    private static BigDecimal shortest(double positive) {
        BigDecimal written = new BigDecimal(Double.toString(positive)).stripTrailingZeros();
        BigDecimal one = written.round(new MathContext(1, RoundingMode.HALF_EVEN)).stripTrailingZeros();
        return one.doubleValue() == positive ? one : written;
    }

    /** Not the text itself: it may be anybody's. */
    private IllegalArgumentException bad(String why) {
        return new IllegalArgumentException("this is not JSON: " + why + ", at character " + at);
    }
}
