package dev.pawl.kernel.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.pawl.kernel.lifecycle.Lifecycle.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** One test for every state and event: the rows written down by hand are allowed, each other pair is refused. */
record EveryPair<S extends Enum<S>, E extends Enum<E>>(Lifecycle<S, E> lifecycle, List<Row<S, E>> allowed) {

    Stream<DynamicTest> tests(S[] states, E[] events) {
        return Stream.of(states).flatMap(from -> Stream.of(events).map(on -> test(from, on)));
    }

    private DynamicTest test(S from, E on) {
        return allowed.stream()
                .filter(row -> row.from() == from && row.on() == on)
                .findFirst()
                .map(row -> dynamicTest(from + " on " + on + " becomes " + row.to(), () -> leads(row)))
                .orElseGet(() -> dynamicTest(from + " refuses " + on, () -> refuses(from, on)));
    }

    private void leads(Row<S, E> row) {
        assertThat(lifecycle.allows(row.from(), row.on())).isTrue();
        assertThat(lifecycle.after(row.from(), row.on())).isEqualTo(row.to());
    }

    private void refuses(S from, E on) {
        assertThat(lifecycle.allows(from, on)).isFalse();
        assertThatThrownBy(() -> lifecycle.after(from, on)).isInstanceOf(IllegalTransition.class)
                .hasMessage(from + " does not allow " + on);
    }
}
