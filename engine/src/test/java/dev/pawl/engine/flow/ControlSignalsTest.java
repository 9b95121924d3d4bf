package dev.pawl.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlSignalsTest {

    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final Message.Signal UPDATE = signal(Updates.TOPIC + "add");

    private final Guard guard = new Guard(() -> {});
    private final ControlSignals control =
            new ControlSignals(guard, new Journal(List.of()), List.of(UPDATE));

    private static Message.Signal signal(String topic) {
        return new Message.Signal(KEY, Guid.ofRequest(KEY, topic, "1"), topic, new Response.Final(Payload.EMPTY));
    }

    /** News are what is durable, and that it was taken may not be yet. */
    @Test
    void whatWasTakenIsNotThereAgainWhenItIsToldOnceMore() {
        control.taken(UPDATE);
        guard.run(() -> control.note(List.of(UPDATE)));

        assertThat(control.isEmpty()).isTrue();
    }

    @Test
    void whatIsToldTwiceIsThereOnce() {
        guard.run(() -> control.note(List.of(UPDATE)));

        assertThat(control.all()).containsExactly(UPDATE);
    }

    @Test
    void cancellationIsTakenOnce() {
        Message.Signal request = signal(ControlSignals.CANCEL);
        guard.run(() -> control.note(List.of(request)));

        assertThat(guard.locked(control::takeCancellation)).isNotNull();
        guard.run(() -> control.note(List.of(request)));
        assertThat(guard.locked(control::takeCancellation)).isNull();
        assertThat(control.all()).containsExactly(UPDATE);
    }

    @Test
    void signalsForTheFlowItselfAreNotItsBusiness() {
        guard.run(() -> control.note(List.of(signal("approval"))));

        assertThat(control.all()).containsExactly(UPDATE);
    }
}
