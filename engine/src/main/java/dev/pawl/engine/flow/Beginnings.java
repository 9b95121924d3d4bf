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

    static Beginning of(Payload stored, Codec codec) {
        byte[] bytes = stored.bytes();
        if (bytes.length == 0 || bytes[0] != MARK) {
            return new Beginning(null, stored);
        }
        int end = 1;
        while (end < bytes.length && bytes[end] != END) {
            end++;
        }
        if (end == bytes.length) {
            throw PayloadError.unreadable("what the flow was started with begins with @, but that line has no end",
                    null);
        }
        Options options = codec.decode(Payload.of(Arrays.copyOfRange(bytes, 1, end)), Options.class);
        return new Beginning(options == null ? null : options.startAt(),
                Payload.of(Arrays.copyOfRange(bytes, end + 1, bytes.length)));
    }

    /** What the line before the input says. */
    record Options(@Nullable Instant startAt) {
    }
}
