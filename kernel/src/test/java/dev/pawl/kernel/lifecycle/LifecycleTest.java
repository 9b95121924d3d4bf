package dev.pawl.kernel.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.lifecycle.Lifecycle.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {

    private enum Door {
        SHUT, WIDE_OPEN, GONE
    }

    private enum Deed {
        PUSH, PULL, BURN
    }

    @Test
    void rowsKeepTheOrderOfTheTable() {
        assertThat(door().rows()).containsExactly(
                new Row<>(Door.SHUT, Deed.PUSH, Door.WIDE_OPEN),
                new Row<>(Door.WIDE_OPEN, Deed.PULL, Door.SHUT),
                new Row<>(Door.WIDE_OPEN, Deed.BURN, Door.GONE));
    }

    @Test
    void rowsCannotBeAddedFromOutside() {
        List<Row<Door, Deed>> rows = door().rows();

        assertThatThrownBy(rows::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aStateAndAnEventStandInTheTableOnce() {
        Lifecycle<Door, Deed> door = door();

        assertThatThrownBy(() -> door.row(Door.SHUT, Deed.PUSH, Door.GONE)).isInstanceOf(IllegalStateException.class)
                .hasMessage("SHUT on PUSH stands twice in the table");
    }

    @Test
    void aStateWithoutExitsIsTerminal() {
        assertThat(Door.values()).filteredOn(door()::terminal).containsExactly(Door.GONE);
    }

    @Test
    void aTerminalStateAllowsNothing() {
        assertThat(Deed.values()).noneMatch(deed -> door().allows(Door.GONE, deed));
    }

    @Test
    void thePictureBeginsAtTheFirstStateAndEndsAtTheTerminalOnes() {
        assertThat(door().mermaid().lines()).containsExactly(
                "stateDiagram-v2",
                "    [*] --> Shut",
                "    Shut --> WideOpen: push",
                "    WideOpen --> Shut: pull",
                "    WideOpen --> Gone: burn",
                "    Gone --> [*]");
    }

    private static Lifecycle<Door, Deed> door() {
        return new Lifecycle<Door, Deed>(Door.class)
                .row(Door.SHUT, Deed.PUSH, Door.WIDE_OPEN)
                .row(Door.WIDE_OPEN, Deed.PULL, Door.SHUT)
                .row(Door.WIDE_OPEN, Deed.BURN, Door.GONE);
    }
}
