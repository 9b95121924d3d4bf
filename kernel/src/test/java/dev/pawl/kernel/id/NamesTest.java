package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "z", "A", "Z", "0", "9", "order-42", "task-r1:check:0", "2026-03-01T09:00:00+00:00",
        "me@example.org", "._~:+@-"})
    void lettersDigitsAndMarksMakeAName(String name) {
        assertThat(Names.valid(name)).isTrue();
        assertThat(Names.require("workflowId", name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "_", "~", ":", "+", "@", "-"})
    void eachMarkIsAllowedAnywhere(String mark) {
        assertThat(Names.valid(mark + "a")).isTrue();
        assertThat(Names.valid("a" + mark)).isTrue();
    }

    /** The neighbours of each range of allowed characters, what paths and keys are cut at, and what is not ASCII. */
    @ParameterizedTest
    @ValueSource(strings = {"/", ";", "[", "`", "{", ",", " ", "\t", "\n", "\0", "%", "?", "#", "&", "=", "\\", "*",
        "\u007f", "ä", "ß", "é", "１", "а", "😀", "\ud800"})
    void anyOtherCharacterIsRefusedAnywhere(String other) {
        assertThat(Names.valid(other)).isFalse();
        assertThat(Names.valid(other + "a")).isFalse();
        assertThat(Names.valid("a" + other)).isFalse();
        assertThat(Names.valid("a" + other + "a")).isFalse();
    }

    /** A path segment of dots is a direction, not a name: clients resolve it before they send, even when escaped. */
    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void aDotSegmentDoesNotFitAPath(String dots) {
        assertThat(Names.valid(dots)).isFalse();
    }

    @Test
    void twoHundredCharactersAreAllowed() {
        assertThat(Names.valid("x".repeat(200))).isTrue();
    }

    @Test
    void twoHundredAndOneCharactersAreRefusedAndNotRepeated() {
        String tooLong = "x".repeat(201);

        assertThatThrownBy(() -> Names.require("workflowId", tooLong)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("201 characters long")
                .hasMessageNotContaining(tooLong);
    }

    @Test
    void theEmptyNameIsRefused() {
        assertThatThrownBy(() -> Names.require("workflowId", "")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("but is ''");
    }

    @Test
    void aRefusalSaysWhatIsWrongWithWhat() {
        assertThatThrownBy(() -> Names.require("activity", "a/b")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("activity must be 1 to 200 characters of A-Z a-z 0-9 . _ ~ : + @ -, but is 'a/b'");
    }
}
