package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    @Test
    void readsWhatIsWritten() {
        String json = Json.object()
                .put("a", "x")
                .put("b", -17)
                .put("c", Long.MAX_VALUE)
                .put("d", true)
                .put("e", List.of(Json.object().put("f", "1"), Json.object()))
                .put("g", Json.object().put("h", 0))
                .end();

        JsonObject read = JsonReader.object(json);

        assertThat(read.text("a")).isEqualTo("x");
        assertThat(read.number("b", 0)).isEqualTo(-17);
        assertThat(read.number("c", 0)).isEqualTo(Long.MAX_VALUE);
        assertThat(read.has("d")).isTrue();
        assertThat(read.list("e")).extracting(each -> each.text("f", "none")).containsExactly("1", "none");
        assertThat(read.object("g").number("h", 1)).isZero();
    }

    @Test
    void whatIsMissingIsWhatTheReaderSays() {
        JsonObject read = JsonReader.object("{}");

        assertThat(read.text("a")).isNull();
        assertThat(read.text("a", "b")).isEqualTo("b");
        assertThat(read.number("a", 3)).isEqualTo(3);
        assertThat(read.has("a")).isFalse();
        assertThat(read.object("a")).isNull();
        assertThat(read.list("a")).isEmpty();
    }

    @Test
    void everyCharacterComesBack() {
        String text = "\"\\\b\f\n\r\t\u0001/ä😀";

        assertThat(JsonReader.object(Json.object().put("a", text).put("b", "plain").end()).text("a")).isEqualTo(text);
    }

    /** The event of a workflow that fails with many children tells of all of them: a reader that looks ahead takes minutes for it. */
    @Test
    void timeToReadGrowsWithTheLengthAndNoFaster() {
        List<Json> many = IntStream.range(0, 300_000).mapToObj(i -> Json.object().put("a", "child-" + i)).toList();
        String json = Json.object().put("list", many).end();

        assertTimeoutPreemptively(Duration.ofSeconds(20),
                () -> assertThat(JsonReader.object(json).list("list")).hasSize(300_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1}x", "{\"a\":tru}", "{\"a\":false}",
                "{\"a\":1 }", "{\"a\":1;\"b\":2}", "{\"a\":\"x}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":[1]}",
                "{\"a\":[{}{}]}", "{\"a\":--1}", "{a:1}"})
    void whatIsNotAnEventIsRefused(String json) {
        assertThatThrownBy(() -> JsonReader.object(json)).isInstanceOf(IllegalArgumentException.class);
    }
}
