package dev.pawl.kernel.event;

import java.util.HexFormat;

/**
 * Text of which nothing is known, in a spelling that is well-formed Unicode and can be read back: a half of a surrogate pair is U+FFFD and
 * its four hexadecimal digits, and so is U+FFFD itself. All other text is spelled as it is.
 */
final class FreeText {

    private static final char MARK = '\uFFFD';
    private static final int DIGITS = 4;

    private FreeText() {
    }

    static String spelled(String text) {
        if (text.chars().noneMatch(c -> c == MARK || Character.isSurrogate((char) c))) {
            return text;
        }
        StringBuilder spelled = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (point == MARK || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
                spelled.append(MARK).append(HexFormat.of().toHexDigits((char) point));
            } else {
                spelled.appendCodePoint(point);
            }
        });
        return spelled.toString();
    }

    static String read(String spelled) {
        int mark = spelled.indexOf(MARK);
        if (mark < 0) {
            return spelled;
        }
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (; mark >= 0; mark = spelled.indexOf(MARK, from)) {
            text.append(spelled, from, mark);
            from = mark + 1 + DIGITS;
            text.append((char) HexFormat.fromHexDigits(spelled, mark + 1, from));
        }
        return text.append(spelled, from, spelled.length()).toString();
    }
}
