package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActivityKeyTest {

    @Test
    void theTriggerStandsAtTheRoot() {
        assertThat(ActivityKey.trigger("order")).hasToString("order@,0");
    }

    @Test
    void anotherPlaneKeepsTheNameAndTheOuterLevels() {
        assertThat(key("hook", ",0,0").inDimension(2)).isEqualTo(key("hook", ",0,2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a,0", "a b"})
    void anInvalidNameIsRefused(String activity) {
        assertThatThrownBy(() -> ActivityKey.trigger(activity)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("activity ");
    }

    @Test
    void equalKeysHaveTheSameNameAndTheSameAddress() {
        assertThat(key("hook", ",0,0")).isEqualTo(key("hook", ",0,0")).hasSameHashCodeAs(key("hook", ",0,0"))
                .isNotEqualTo(key("hook", ",0,1")).isNotEqualTo(key("work", ",0,0")).isNotEqualTo("hook@,0,0");
    }

    @Test
    void keysAreOrderedByAddressThenName() {
        ActivityKey trigger = ActivityKey.trigger("z");
        ActivityKey left = key("a", ",0,0");
        ActivityKey right = key("b", ",0,0");
        ActivityKey plane = key("a", ",0,1");

        assertThat(Stream.of(plane, right, left, trigger).sorted()).containsExactly(trigger, left, right, plane);
    }

    private static ActivityKey key(String activity, String address) {
        return new ActivityKey(activity, new DimensionalAddress(address));
    }
}
