package dev.pawl.testkit.scenario;

import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;

/** Payloads that people can read. */
public final class Text {

    private Text() {
    }

    public static Payload of(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String in(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
