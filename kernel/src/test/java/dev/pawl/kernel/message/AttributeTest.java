package dev.pawl.kernel.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.123456Z");

    @Test
    void memosAndAttributesDoNotShareTheirNames() {
        assertThat(List.of(new Attribute.Text("a", "x"), new Attribute.Whole("a", 1), new Attribute.Flag("a", true),
                new Attribute.Time("a", NOW))).extracting(Attribute::key).containsOnly(new Attribute.Key(false, "a"));
        assertThat(new Attribute.Memo("a", Payload.EMPTY).key()).isEqualTo(new Attribute.Key(true, "a"));
        assertThat(new Attribute.Removed(new Attribute.Key(true, "a")).key()).isEqualTo(new Attribute.Key(true, "a"));
        assertThat(Stream.of(new Attribute.Key(true, "a"), new Attribute.Key(false, "b"),
                new Attribute.Key(false, "a")).sorted().toList()).containsExactly(new Attribute.Key(false, "a"),
                        new Attribute.Key(false, "b"), new Attribute.Key(true, "a"));
    }

    @Test
    void timesAreKeptToTheMillisecond() {
        assertThat(new Attribute.Time("a", NOW).value()).isEqualTo(Instant.parse("2030-01-01T00:00:00.123Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a'", "%"})
    void badNamesAreRefused(String name) {
        assertThatThrownBy(() -> new Attribute.Key(false, name)).hasMessageContaining("an attribute's name");
        assertThatThrownBy(() -> new Attribute.Key(true, name)).hasMessageContaining("a memo's name");
    }

    @Test
    void longNamesAreRefused() {
        assertThat(new Attribute.Key(false, "n".repeat(64)).name()).hasSize(64);
        assertThatThrownBy(() -> new Attribute.Key(false, "n".repeat(65))).hasMessageContaining("at most 64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0", "\ud83d", "\ude00x", "\udbff\udfff"})
    void textThatCannotBeKeptOrFoundIsRefused(String text) {
        assertThatThrownBy(() -> new Attribute.Text("a", text)).hasMessageContaining("no NUL");
    }

    @Test
    void valuesHaveALimit() {
        assertThat(new Attribute.Text("a", "\uffee").value()).isEqualTo("\uffee");
        assertThat(new Attribute.Text("a", "\u00e9".repeat(1_024)).value()).hasSize(1_024);
        assertThatThrownBy(() -> new Attribute.Text("a", "\u00e9".repeat(1_025)))
                .hasMessageContaining("at most 2048 bytes").hasMessageContaining("a memo");
        assertThat(new Attribute.Memo("a", Payload.of(new byte[16_384])).value().size()).isEqualTo(16_384);
        assertThatThrownBy(() -> new Attribute.Memo("a", Payload.of(new byte[16_385])))
                .hasMessageContaining("at most 16384 bytes");
    }

    @Test
    void nothingComesAfterTheTextBeyondAll() {
        assertThat(Attribute.Text.BEYOND.codePointAt(0)).isEqualTo(0x10FFFF);
    }
}
