package dev.pawl.kernel.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SemaphoreTest {

    /** Section 9.2, and one fan-out beyond it. */
    @ParameterizedTest
    @CsvSource({"0, -1", "1, 0", "2, 1", "3, 2", "1000, 999"})
    void aCompletingActivityClosesItselfAndOpensItsChildren(int children, long delta) {
        assertThat(Semaphore.deltaOf(children)).isEqualTo(delta);
    }

    @ParameterizedTest
    @CsvSource({"5, 1, 6", "1, -1, 0", "1, 0, 1", "7, -7, 0"})
    void aDeltaMovesIt(long before, long delta, long after) {
        assertThat(new Semaphore(before).plus(delta)).isEqualTo(new Semaphore(after));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, true", "1, 0, false", "1, 1, true", "12, 12, true", "11, 12, false", "13, 12, false"})
    void itIsAtItsThresholdOnlyWhenEqual(long open, long threshold, boolean at) {
        assertThat(new Semaphore(open).at(threshold)).isEqualTo(at);
    }

    @Test
    void nothingOpenIsTheLeast() {
        assertThat(new Semaphore(0).open()).isZero();
    }

    @Test
    void aNegativeSemaphoreIsRefused() {
        assertThatThrownBy(() -> new Semaphore(-1)).isInstanceOf(LedgerViolation.class)
                .hasMessage("a semaphore is never negative: -1");
    }

    @ParameterizedTest
    @CsvSource({"0, -1", "3, -4", "9223372036854775807, 1"})
    void aDeltaThatLeavesTheRangeIsRefused(long before, long delta) {
        Semaphore semaphore = new Semaphore(before);

        assertThatThrownBy(() -> semaphore.plus(delta)).isInstanceOf(LedgerViolation.class);
    }
}
