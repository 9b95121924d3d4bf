package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccasionTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.123Z");
    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final Guid GUID = Guid.derive("test", "m");
    private static final ActivityKey TRIGGER = ActivityKey.trigger("trigger");
    private static final Response DONE = new Response.Final(Payload.EMPTY);

    @Test
    void everyMessageHasANameOfItsOwn() {
        List<Message> messages = List.of(
                new Message.Start(KEY, new Message.Beginning("g", "d", "1", "trigger", 0, Payload.EMPTY, null)),
                new Message.Enter(KEY, GUID, TRIGGER),
                new Message.Reenter(KEY, GUID, TRIGGER, Payload.EMPTY),
                Message.Respond.answer(KEY, TRIGGER, 1, DONE),
                Message.Respond.pending(KEY, TRIGGER, 1, 1, Payload.EMPTY),
                new Message.Signal(KEY, GUID, "topic", DONE),
                new Message.Signal(KEY, GUID, "topic", new Response.Failure(Payload.EMPTY)),
                new Message.Interrupt(KEY, GUID, Ending.interrupted("why", false)));

        assertThat(messages).extracting(Occasion::kind)
                .containsExactly("start", "enter", "reenter", "respond", "respond pending", "signal",
                        "signal failure", "interrupt");
    }

    @Test
    void occasionOfAMessageBearsItsGuidAndTheTimeToTheMillisecond() {
        Message.Enter enter = new Message.Enter(KEY, GUID, TRIGGER);

        assertThat(Occasion.of(enter, NOW.plusNanos(999_999))).isEqualTo(new Occasion("enter", GUID, NOW));
    }
}
