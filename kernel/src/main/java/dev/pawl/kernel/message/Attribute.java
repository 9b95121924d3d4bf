package dev.pawl.kernel.message;

import dev.pawl.kernel.id.Names;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Something a workflow is found by, or, as a memo, only shown with. The last value under a name holds. Attributes and memos do not
 * share their names.
 */
public sealed interface Attribute {

    Key key();

    /** Which one of a workflow's. */
    record Key(boolean memo, String name) implements Comparable<Key> {

        public static final int LENGTH_MAX = 64;

        public Key {
            String what = memo ? "a memo's name" : "an attribute's name";
            Names.require(what, name);
            if (name.length() > LENGTH_MAX) {
                throw new IllegalArgumentException(
                        what + " has at most " + LENGTH_MAX + " characters, but this one has " + name.length());
            }
        }

        @Override
        public int compareTo(Key other) {
            int byKind = Boolean.compare(memo, other.memo);
            return byKind != 0 ? byKind : name.compareTo(other.name);
        }
    }

    /** Compared byte by byte in UTF-8. */
    record Text(String name, String value) implements Attribute {

        /** Fits the index of every database, with everything that stands before it there. */
        public static final int BYTES_MAX = 2_048;

        /** Comes after every text there may be. */
        public static final String BEYOND = Character.toString(Character.MAX_CODE_POINT);

        public Text {
            int bytes = value.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > BYTES_MAX) {
                throw new IllegalArgumentException("the text of an attribute has at most " + BYTES_MAX
                        + " bytes in UTF-8, but that of " + name + " has " + bytes + "; put it in a memo");
            }
            if (value.codePoints().anyMatch(Text::forbidden)) {
                throw new IllegalArgumentException("the text of an attribute has no NUL, no half of a surrogate pair"
                        + " and no U+10FFFF, but that of " + name + " has");
            }
        }

        /** What no database can keep, or what no other text may come after. */
        private static boolean forbidden(int c) {
            return c == 0 || c == Character.MAX_CODE_POINT
                    || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        }

        @Override
        public Key key() {
            return new Key(false, name);
        }
    }

    record Whole(String name, long value) implements Attribute {

        @Override
        public Key key() {
            return new Key(false, name);
        }
    }

    record Flag(String name, boolean value) implements Attribute {

        @Override
        public Key key() {
            return new Key(false, name);
        }
    }

    /** To the millisecond. */
    record Time(String name, Instant value) implements Attribute {

        public Time {
            value = Instant.ofEpochMilli(value.toEpochMilli());
        }

        @Override
        public Key key() {
            return new Key(false, name);
        }
    }

    /** JSON of the user's, for people. */
    record Memo(String name, Payload value) implements Attribute {

        public static final int BYTES_MAX = 16 * 1_024;

        public Memo {
            if (value.size() > BYTES_MAX) {
                throw new IllegalArgumentException("a memo has at most " + BYTES_MAX + " bytes as JSON, but " + name
                        + " has " + value.size());
            }
        }

        @Override
        public Key key() {
            return new Key(true, name);
        }
    }

    /** What takes one away; it is never read back. */
    record Removed(Key key) implements Attribute {
    }
}
