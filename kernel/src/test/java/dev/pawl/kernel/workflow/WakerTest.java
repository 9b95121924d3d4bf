package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WakerTest {

    @Test
    void aHookAwaitsItsTopic() {
        assertThat(new Waker.Hook("paid", false).awaits("paid")).isTrue();
    }

    @Test
    void aHookDoesNotAwaitAnotherTopic() {
        assertThat(new Waker.Hook("paid", false).awaits("sent")).isFalse();
    }

    @Test
    void aHookWithASignalOnItsWayAwaitsNoSecondOne() {
        assertThat(new Waker.Hook("paid", true).awaits("paid")).isFalse();
    }

    @Test
    void theTextOfATaskDoesNotShowItsInput() {
        Payload input = Payload.of("secret".getBytes(StandardCharsets.UTF_8));

        assertThat(new Waker.Task("parcels", input, 1, Instant.EPOCH).toString()).contains("parcels", "6 bytes")
                .doesNotContain("secret");
    }

    @Test
    void everyWakerIsReadFromItsText() {
        Payload input = Payload.of(new byte[] {1});
        Recipient child = new Recipient("shop", new WorkflowKey("test", "child"));
        List<Waker> wakers = List.of(new Waker.None(), new Waker.Task("a attempt 3 until 4", input, 2, Instant.EPOCH),
                new Waker.Timer(Instant.ofEpochMilli(5)), new Waker.Hook("taken hook x", false),
                new Waker.Hook("a topic", true), new Waker.Local(3, "me of here"), new Waker.Code(4, true),
                new Waker.Code(5, false), new Waker.Child(child), new Waker.FanOut("a cursor"), new Waker.Receipt());

        assertThat(wakers).allSatisfy(waker -> assertThat(Waker.of(waker.text(), input, child)).isEqualTo(waker));
        assertThatThrownBy(() -> Waker.of("nonsense 1", input, null)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nonsense");
    }

    @Test
    void whatMustBeFoundWithoutItsWorkflowIsOpen() {
        Recipient child = new Recipient("shop", new WorkflowKey("test", "child"));

        assertThat(List.of(new Waker.Task("q", Payload.EMPTY, 1, Instant.EPOCH), new Waker.Timer(Instant.EPOCH),
                new Waker.Hook("paid", false), new Waker.Code(1, true), new Waker.Child(child),
                new Waker.FanOut("cursor"), new Waker.Receipt())).allMatch(Waker::open);
        assertThat(List.of(new Waker.None(), new Waker.Hook("paid", true), new Waker.Local(1, "me"),
                new Waker.Code(1, false))).noneMatch(Waker::open);
    }
}
