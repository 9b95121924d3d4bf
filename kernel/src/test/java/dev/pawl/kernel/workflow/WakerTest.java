package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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
}
