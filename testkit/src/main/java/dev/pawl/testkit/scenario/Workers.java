package dev.pawl.testkit.scenario;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32;

/** What the workers of a scenario answer. Pure: every attempt of a task gets the same answer. */
@FunctionalInterface
public interface Workers {

    /** The queue whose workers never succeed. */
    String BROKEN = "broken";

    int SHOWN_MAX = 40;

    Response answer(String queue, ActivityKey activity, Payload input);

    /** Answers with who was asked and what for: an answer that went astray is recognised. */
    static Response echo(String queue, ActivityKey activity, Payload input) {
        Payload answer = Text.of(activity + "(" + shown(input) + ")");
        return queue.equals(BROKEN) ? new Response.Failure(answer) : new Response.Final(answer);
    }

    /** Short, because answers are given to the next worker, and so on. */
    private static String shown(Payload input) {
        String text = Text.in(input);
        if (text.length() <= SHOWN_MAX) {
            return text;
        }
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return "#" + HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
