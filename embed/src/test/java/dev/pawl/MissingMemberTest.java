package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.PayloadError;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A member that a class has and a stored payload has not: an object is null, a number is not zero. */
class MissingMemberTest {

    record Renamed(String item, long price) {
    }

    record Grown(String item, @Nullable String voucher, @Nullable Long discount) {
    }

    private final JsonCodec codec = JsonCodec.builder().build();
    private final Payload stored = Payload.of("{\"cents\":995,\"item\":\"book\"}".getBytes(StandardCharsets.UTF_8));

    @Test
    void numberThatIsMissingIsAnErrorAndNotZero() {
        assertThatThrownBy(() -> codec.<Renamed>decode(stored, Renamed.class)).isInstanceOf(PayloadError.class)
                .hasMessageContaining("price");
    }

    @Test
    void memberThatMayBeNullIsNull() {
        assertThat(codec.<Grown>decode(stored, Grown.class)).isEqualTo(new Grown("book", null, null));
    }
}
