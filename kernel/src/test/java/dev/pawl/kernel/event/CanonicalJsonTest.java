package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 8785, and what it refuses. */
class CanonicalJsonTest {

    /** Appendix B: the bits of a double, and how it is spelled. */
    @ParameterizedTest
    @CsvSource({"0000000000000000, 0", "8000000000000000, 0", "0000000000000001, 5e-324", "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308", "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992", "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000", "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23", "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000", "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21", "3eb0c6f7a0b5ed8c, 9.999999999999997e-7", "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332", "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333", "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343", "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"})
    void numbersAreSpelledAsInAppendixB(String bits, String spelled) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(CanonicalJson.of(Double.toString(number))).isEqualTo(spelled);
        assertThat(CanonicalJson.of(new BigDecimal(number).toPlainString())).isEqualTo(spelled);
    }

    /** Section 3.2.2, in the order of section 3.2.3. */
    @Test
    void exampleOfTheRfcComesOutAsItSays() {
        assertThat(CanonicalJson.of("""
                {
                  "numbers": [333333333.33333329, 1E30, 4.50,
                              2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""")).isEqualTo("{\"literals\":[null,true,false],"
                + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    /** Section 3.2.3: by UTF-16 code units, so that an emoji comes before what has a smaller code point. */
    @Test
    void namesAreSortedByTheirCodeUnits() {
        assertThat(CanonicalJson.of("""
                {"\\u20ac": "Euro Sign", "\\r": "Carriage Return",
                 "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
                 "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
                 "\\u00f6": "Latin Small Letter O With Diaeresis"}"""))
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\","
                        + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @Test
    void wholeNumbersThatADoubleWouldRoundKeepTheirDigits() {
        assertThat(CanonicalJson.of("[9007199254740993,-9007199254740993,9223372036854775807,0,-0,-12]"))
                .isEqualTo("[9007199254740993,-9007199254740993,9223372036854775807,0,0,-12]");
        String huge = "9".repeat(400);
        assertThat(CanonicalJson.of(huge)).isEqualTo(huge);
        assertThat(CanonicalJson.of("10000000000000000000000")).isEqualTo("1e+22");
    }

    @Test
    void emptyAndNestedValuesAreKept() {
        assertThat(CanonicalJson.of(" { \"b\" : [ ] , \"a\" : { } }\n")).isEqualTo("{\"a\":{},\"b\":[]}");
        assertThat(CanonicalJson.of("{\"a\":{\"d\":1,\"c\":{\"f\":[{},[]],\"e\":\"}\"}}}"))
                .isEqualTo("{\"a\":{\"c\":{\"e\":\"}\",\"f\":[{},[]]},\"d\":1}}");
        assertThat(CanonicalJson.of("\"\\b\\f\\n\\r\\t\\/\"")).isEqualTo("\"\\b\\f\\n\\r\\t/\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "tru", "nul", "fals", "[1", "[1 2]", "[1,]", "{", "{1:2}", "{\"a\" 1}",
        "{\"a\":1 \"b\":2}", "{\"a\":1,}", "{\"a\":1,\"a\":1}", "\"", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
        "\"\\u\uff11234\"", "\"a\nb\"", "\"\\ud83d\"", "\"\\ude00\\ud83d\"", "1 2", "01", "1.", "+1", "NaN", "1e400",
        "-1e400", "[1]\uffff"})
    void whatIsNotJsonIsRefused(String text) {
        assertThatThrownBy(() -> CanonicalJson.of(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this is not JSON");
    }

    @Test
    void whatIsNestedTooDeepIsRefused() {
        assertThat(CanonicalJson.of("[".repeat(1_000) + "]".repeat(1_000))).hasSize(2_000);
        assertThatThrownBy(() -> CanonicalJson.of("[".repeat(1_001) + "]".repeat(1_001)))
                .hasMessageContaining("nested");
    }
}
