package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One spelling for everything. That it is the spelling of RFC 8785 is held against a library in the testkit. */
class JsonTest {

    @Test
    void membersOfEveryKindStandInOrder() {
        String json = Json.object().put("a", "text").put("b", 42).put("c", true).putJson("d", "[1]")
                .put("e", List.of(Json.object().put("x", 1), Json.object())).end();

        assertThat(json).isEqualTo("{\"a\":\"text\",\"b\":42,\"c\":true,\"d\":[1],\"e\":[{\"x\":1},{}]}");
    }

    @Test
    void emptyListIsLeftOut() {
        assertThat(Json.object().put("a", List.of()).put("b", 1).end()).isEqualTo("{\"b\":1}");
    }

    @Test
    void objectInsideIsLeftOutIfThereIsNone() {
        Json none = null;

        assertThat(Json.object().put("a", Json.object().put("x", 1)).put("b", none).put("c", 1).end())
                .isEqualTo("{\"a\":{\"x\":1},\"c\":1}");
    }

    @ParameterizedTest
    @CsvSource({"b, a", "a, a", "a, A"})
    void membersOutOfOrderAreRefused(String first, String second) {
        Json json = Json.object().put(first, 1);

        assertThatThrownBy(() -> json.put(second, 1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'" + second + "' must come before '" + first + "'");
    }

    @Test
    void quotesAndControlCharactersAreEscapedInTheirShortestForm() {
        assertThat(text("say \"hi\" \\ /")).isEqualTo("say \\\"hi\\\" \\\\ /");
        assertThat(text("\b\t\n\f\r")).isEqualTo("\\b\\t\\n\\f\\r");
        assertThat(text("\0\u0001\u000b\u001f")).isEqualTo("\\u0000\\u0001\\u000b\\u001f");
    }

    @Test
    void everythingElseIsWrittenAsItIs() {
        String plain = " ~\u007f\u0080\u00e9\u2028\u2029\ufeff\uffff<>&'";

        assertThat(text(plain)).isEqualTo(plain);
    }

    @Test
    void pairsOfSurrogatesStayTogetherAndHalvesAreReplaced() {
        assertThat(text("\ud83d\ude00")).isEqualTo("\ud83d\ude00");
        assertThat(text("a\ud83db")).isEqualTo("a\ufffdb");
        assertThat(text("a\ude00b")).isEqualTo("a\ufffdb");
        assertThat(text("\ude00\ud83d")).isEqualTo("\ufffd\ufffd");
        assertThat(text("\ud83d\ud83d\ude00")).isEqualTo("\ufffd\ud83d\ude00");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-1, -1", "9007199254740991, 9007199254740991", "-9007199254740991, -9007199254740991"})
    void numbersThatADoubleHoldsAreNumbers(long value, String expected) {
        assertThat(Json.object().put("n", value).end()).isEqualTo("{\"n\":" + expected + "}");
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992", "-9007199254740992", "9223372036854775807", "-9223372036854775808"})
    void numbersThatADoubleWouldRoundAreStrings(long value) {
        assertThat(Json.object().put("n", value).end()).isEqualTo("{\"n\":\"" + value + "\"}");
    }

    private static String text(String value) {
        String json = Json.object().put("s", value).end();
        assertThat(json).startsWith("{\"s\":\"").endsWith("\"}");
        return json.substring(6, json.length() - 2);
    }
}
