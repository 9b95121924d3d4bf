package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeTextTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\ud83d\ude00", "\ud83d", "x\ude00y", "\ufffd", "\ufffdd83d",
        "\ud83d\ud83d\ude00\ude00"})
    void comesBackAndIsWellFormed(String text) {
        String json = Json.object().putFreeText("a", text).end();

        assertThat(JsonReader.object(json).freeText("a")).isEqualTo(text);
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(json)).isTrue();
    }

    @Test
    void ordinaryTextIsSpelledAsItIs() {
        assertThat(FreeText.spelled("an approval \ud83d\ude00")).isEqualTo("an approval \ud83d\ude00");
    }

    @Test
    void spellingThatWasCutOffIsRefused() {
        assertThatThrownBy(() -> FreeText.read("\ufffdd8")).isInstanceOf(RuntimeException.class);
        assertThat(JsonReader.object("{}").freeText("a")).isNull();
    }
}
