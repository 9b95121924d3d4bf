package dev.pawl.kernel.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTest {

    @Test
    void aNegativeThresholdIsRefused() {
        assertThatThrownBy(() -> new Message.Beginning("g", "d", "1", "t", -1, Payload.EMPTY, null))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("-1");
    }

    private static final WorkflowKey ORDER = new WorkflowKey("shop", "order-1");
    private static final WorkflowKey PARENT = new WorkflowKey("shop", "basket-1");
    private static final ActivityKey PACK = new ActivityKey("pack", new DimensionalAddress(",0,0"));
    private static final Guid GUID = Guid.ofRequest(ORDER, "paid", "evt-7");
    private static final Payload SECRET = Payload.of("secret".getBytes(StandardCharsets.UTF_8));
    private static final Response RESPONSE = new Response.Final(SECRET);
    private static final Origin ORIGIN = new Origin(new Recipient("shops", PARENT), PACK,
            Guid.ofAnswer(PARENT, PACK, 1, 0), true);

    static List<Message> everyKindOfMessage() {
        return List.of(start("1"), new Message.Enter(ORDER, GUID, PACK), new Message.Reenter(ORDER, GUID, PACK, SECRET),
                Message.Respond.answer(ORDER, PACK, 1, new Response.Failure(SECRET)),
                new Message.Signal(ORDER, GUID, "paid", new Response.Pending(SECRET)),
                new Message.Interrupt(ORDER, GUID, Ending.failed("card declined", SECRET)));
    }

    @ParameterizedTest
    @MethodSource("everyKindOfMessage")
    void theTextNamesTheWorkflowAndNeverShowsAPayload(Message message) {
        assertThat(message.toString()).contains("shop/order-1").doesNotContain("secret").doesNotContain("115, 101");
    }

    @Test
    void everyStartOfAWorkflowIsTheSameMessage() {
        assertThat(start("1").guid()).isEqualTo(start("2").guid()).isEqualTo(Guid.ofStart(ORDER));
    }

    @Test
    void aWakeIsNamedAfterItsActivityAndDueTime() {
        Instant dueAt = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(Message.Respond.wake(ORDER, PACK, dueAt)).isEqualTo(new Message.Respond(ORDER,
                Guid.ofTimer(ORDER, PACK, 1_767_225_600_000L), PACK, Message.Source.TIMER,
                new Response.Final(Payload.EMPTY)));
    }

    @Test
    void anAnswerIsNamedAfterItsAttempt() {
        assertThat(Message.Respond.answer(ORDER, PACK, 3, RESPONSE)).isEqualTo(
                new Message.Respond(ORDER, Guid.ofAnswer(ORDER, PACK, 3, 0), PACK, Message.Source.TASK, 3,
                        RESPONSE));
    }

    @Test
    void aSignalKeepsItsGuidOnTheWayToItsHook() {
        assertThat(new Message.Signal(ORDER, GUID, "paid", RESPONSE).to(PACK))
                .isEqualTo(new Message.Respond(ORDER, GUID, PACK, Message.Source.SIGNAL, RESPONSE));
    }

    @Test
    void aChildAnswersItsParentUnderTheGuidFixedBeforeItExisted() {
        assertThat(ORIGIN.answer(RESPONSE)).isEqualTo(
                new Message.Respond(PARENT, Guid.ofAnswer(PARENT, PACK, 1, 0), PACK, Message.Source.CHILD, RESPONSE));
    }

    private static Message.Start start(String definitionVersion) {
        return new Message.Start(ORDER,
                new Message.Beginning("shop", "checkout", definitionVersion, "order", 0, SECRET, ORIGIN));
    }
}
