package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a flow is started with: its input as JSON. If it is not to begin at once, a line before it says when; and if it is born with
 * attributes, a line before that one says which names they have, so that the code knows without a look in the store.
 */
public final class Beginnings {

    /** Nothing waits for longer: what every store can keep, and everybody read. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    static final byte MARK = '@';
    static final byte NAMES = '#';
    private static final byte END = '\n';
    private static final String START_AT = "startAt";

    private Beginnings() {
    }

    /** What the code is given, and from when on it may run. */
    record Beginning(@Nullable Instant startAt, Set<Attribute.Key> names, Payload input) {
    }

    /** The input of a flow that is born with attributes. */
    public static Payload carrying(List<Attribute> attributes, Payload input) {
        if (attributes.isEmpty()) {
            return input;
        }
        // A name has no character that JSON would escape.
        String names = attributes.stream().map(Attribute::key)
                .map(key -> "\"" + (key.memo() ? MEMO : ATTRIBUTE) + key.name() + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        return line(NAMES, names, input);
    }

    private static final String MEMO = "memo ";
    private static final String ATTRIBUTE = "attribute ";

    private static Attribute.Key key(String name) {
        boolean memo = name.startsWith(MEMO);
        return new Attribute.Key(memo, name.substring((memo ? MEMO : ATTRIBUTE).length()));
    }

    public static Payload delayed(Instant startAt, Payload input) {
        return line(MARK, Json.object().put(START_AT, startAt.toString()).end(), input);
    }

    private static Payload line(byte mark, String text, Payload input) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(mark);
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        bytes.write(END);
        bytes.writeBytes(input.bytes());
        return Payload.of(bytes.toByteArray());
    }

    /** Whether two starts ask for the same: how a codec spells the input does not count, and neither do attributes. */
    public static boolean same(Payload one, Payload other, Codec codec) {
        if (one.equals(other)) {
            return true;
        }
        Split first = split(MARK, split(NAMES, one).input());
        Split second = split(MARK, split(NAMES, other).input());
        return first.line().equals(second.line()) && codec.same(first.input(), second.input());
    }

    static Beginning of(Payload stored) {
        Split named = split(NAMES, stored);
        Split split = split(MARK, named.input());
        Set<Attribute.Key> names = named.line().size() == 0 ? Set.of()
                : RecordJson.texts(FlowRuntime.utf8(named.line())).stream().map(Beginnings::key)
                        .collect(Collectors.toUnmodifiableSet());
        String startAt = split.line().size() == 0 ? null
                : RecordJson.text(RecordJson.members(split.line()), START_AT);
        return new Beginning(startAt == null ? null : Instant.parse(startAt), names, split.input());
    }

    /** The line before the input, empty if there is none, and the input. */
    private record Split(Payload line, Payload input) {
    }

    private static Split split(byte mark, Payload stored) {
        byte[] bytes = stored.bytes();
        if (bytes.length == 0 || bytes[0] != mark) {
            return new Split(Payload.EMPTY, stored);
        }
        int end = 1;
        while (end < bytes.length && bytes[end] != END) {
            end++;
        }
        if (end == bytes.length) {
            throw PayloadError.unreadable(
                    "what the flow was started with begins with " + (char) mark + ", but that line has no end",
                    null);
        }
        return new Split(Payload.of(Arrays.copyOfRange(bytes, 1, end)),
                Payload.of(Arrays.copyOfRange(bytes, end + 1, bytes.length)));
    }
}
