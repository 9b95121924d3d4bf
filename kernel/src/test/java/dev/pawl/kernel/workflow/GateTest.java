package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.ledger.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {

    private static final Guid FIRST = Guid.derive("test", "first");
    private static final Guid SECOND = Guid.derive("test", "second");

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 12})
    void aWorkflowOpensWithItsTriggerAsTheOneObligation(long threshold) {
        Gate gate = Gate.ofWorkflow(threshold);

        assertThat(gate).isEqualTo(new Gate(new Semaphore(1), threshold, null));
        assertThat(gate.closed()).isFalse();
    }

    /** Section 18.3. */
    @Test
    void twoChildrenRaiseItFromFiveToSixAndItStaysOpen() {
        Gate after = open(5, 0).move(Semaphore.deltaOf(2), FIRST);

        assertThat(after).isEqualTo(open(6, 0));
        assertThat(after.closedBy(FIRST)).isFalse();
    }

    /** Section 18.4. */
    @Test
    void noChildrenLowerItFromOneToZeroAndTheMoverClosedIt() {
        Gate after = open(1, 0).move(Semaphore.deltaOf(0), FIRST);

        assertThat(after).isEqualTo(new Gate(new Semaphore(0), 0, FIRST));
        assertThat(after.closed()).isTrue();
        assertThat(after.closedBy(FIRST)).isTrue();
        assertThat(after.closedBy(SECOND)).isFalse();
    }

    @ParameterizedTest(name = "from {0} by {1} with threshold {2}: hit is {3}")
    @CsvSource({
        "1,  -1,  0, true",
        "2,  -1,  0, false",
        "1,   0,  0, false",
        "2,  -1,  1, true",
        "1,   0,  1, true",
        "3,  -1,  1, false",
        "13, -1, 12, true",
        "11,  1, 12, true",
        "12,  0, 12, true",
        "11,  2, 12, false",
        "14, -1, 12, false",
    })
    void aHitIsToStandAtTheThresholdExactly(long before, long delta, long threshold, boolean hit) {
        assertThat(open(before, threshold).move(delta, FIRST).closedBy(FIRST)).isEqualTo(hit);
    }

    @Test
    void aGateClosesOnce() {
        Gate closed = open(1, 0).move(-1, FIRST);

        assertThat(closed.move(0, SECOND)).isEqualTo(closed);
        assertThat(closed.move(1, SECOND).move(-1, SECOND)).isEqualTo(closed);
    }

    @Test
    void aClosedGateStillCounts() {
        Gate closed = open(13, 12).move(-1, FIRST);

        assertThat(closed.move(-2, SECOND)).isEqualTo(new Gate(new Semaphore(10), 12, FIRST));
    }

    @Test
    void itNeverCountsBelowZero() {
        assertThatThrownBy(() -> open(1, 0).move(-2, FIRST)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("never negative");
    }

    @Test
    void theLastArrivalOpensAJoin() {
        Gate first = Gate.ofJoin(2).move(-1, FIRST);
        Gate last = first.move(-1, SECOND);

        assertThat(first).isEqualTo(open(1, 0));
        assertThat(last).isEqualTo(new Gate(new Semaphore(0), 0, SECOND));
    }

    @Test
    void anArrivalTooManyIsRefused() {
        Gate complete = Gate.ofJoin(1).move(-1, FIRST);

        assertThatThrownBy(() -> complete.move(-1, SECOND)).isInstanceOf(LedgerViolation.class);
    }

    @Test
    void aJoinOfLessThanNothingIsRefused() {
        assertThatThrownBy(() -> Gate.ofJoin(-1)).isInstanceOf(LedgerViolation.class);
    }

    @ParameterizedTest(name = "from {0} to threshold {1} by {2}")
    @CsvSource({"5, 0, -5", "1, 0, -1", "0, 0, 0", "5, 1, -4", "1, 1, 0", "5, 12, 7", "20, 12, -8"})
    void anInterruptMovesItToItsThresholdFromAnywhere(long open, long threshold, long delta) {
        Gate gate = open(open, threshold);

        assertThat(gate.deltaToThreshold()).isEqualTo(delta);
        assertThat(gate.move(gate.deltaToThreshold(), FIRST).closedBy(FIRST)).isTrue();
    }

    private static Gate open(long semaphore, long threshold) {
        return new Gate(new Semaphore(semaphore), threshold, null);
    }
}
