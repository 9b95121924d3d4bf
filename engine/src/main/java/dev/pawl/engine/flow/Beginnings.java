package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a flow is started with: its input as JSON and, if it is not to begin at once, a line before it that says when. */
public final class Beginnings {

    /** Nothing waits for longer: what every store can keep, and everybody read. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private static final byte MARK = '@';
    private static final byte END = '\n';

    private Beginnings() {
    }

    /** What the code is given, and from when on it may run. */
    record Beginning(@Nullable Instant startAt, Payload input) {
    }

    public static Payload delayed(Instant startAt, Payload input) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(MARK);
        bytes.writeBytes(Json.object().put("startAt", startAt.toString()).end().getBytes(StandardCharsets.UTF_8));
        bytes.write(END);
        bytes.writeBytes(input.bytes());
        return Payload.of(bytes.toByteArray());
    }

    /** Whether two starts ask for the same: the spelling of their JSON does not count. */
    public static boolean same(Payload one, Payload other) {
        return one.equals(other) || (split(one).line().equals(split(other).line())
                && Header.canonical(split(one).input()).equals(Header.canonical(split(other).input())));
    }

    static Beginning of(Payload stored, Codec codec) {
        Split split = split(stored);
        Options options = split.line().size() == 0 ? null : codec.decode(split.line(), Options.class);
        return new Beginning(options == null ? null : options.startAt(), split.input());
    }

    /** The line before the input, empty if there is none, and the input. */
    private record Split(Payload line, Payload input) {
    }

    private static Split split(Payload stored) {
        byte[] bytes = stored.bytes();
        if (bytes.length == 0 || bytes[0] != MARK) {
            return new Split(Payload.EMPTY, stored);
        }
        int end = 1;
        while (end < bytes.length && bytes[end] != END) {
            end++;
        }
        if (end == bytes.length) {
            throw PayloadError.unreadable("what the flow was started with begins with @, but that line has no end",
                    null);
        }
        return new Split(Payload.of(Arrays.copyOfRange(bytes, 1, end)),
                Payload.of(Arrays.copyOfRange(bytes, end + 1, bytes.length)));
    }

    /** What the line before the input says. */
    record Options(@Nullable Instant startAt) {
    }
}
