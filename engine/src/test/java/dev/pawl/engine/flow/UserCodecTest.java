package dev.pawl.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a codec writes is not taken for a mark of the engine's own. */
class UserCodecTest {

    /** Writes texts as they are. */
    private static final class Plain implements Codec {

        @Override
        public Payload encode(@Nullable Object value) {
            return Payload.of(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        public <T> @Nullable T decode(Payload payload, Type type) {
            if (type == Integer.class) {
                throw new IllegalStateException("quotes " + FlowRuntime.utf8(payload));
            }
            return (T) FlowRuntime.utf8(payload);
        }
    }

    private final UserCodec codec = UserCodec.of(new Plain());

    @ParameterizedTest
    @ValueSource(strings = {"", "!x", "@x\n", "#x\n", "\0", "\0!", "x", "{}"})
    void payloadThatLooksLikeAMarkIsNone(String text) {
        Payload payload = codec.encode(text);

        assertThat(payload.size()).isPositive();
        assertThat(Results.isFailure(payload)).isFalse();
        assertThat(Beginnings.of(payload).input()).isEqualTo(payload);
        assertThat(codec.<String>decode(payload, String.class)).isEqualTo(text);
    }

    @Test
    void whatACodecThrowsIsNotPassedOn() {
        Payload payload = codec.encode("secret");

        assertThatThrownBy(() -> codec.<Integer>decode(payload, Integer.class)).isInstanceOf(PayloadError.class)
                .hasFieldOrPropertyWithValue("code", PayloadError.UNREADABLE).hasMessageNotContaining("secret")
                .hasNoCause();
        assertThatThrownBy(() -> codec.encode("secret", Integer.class))
                .hasFieldOrPropertyWithValue("code", PayloadError.CHANGED).hasMessageNotContaining("secret");
    }
}
