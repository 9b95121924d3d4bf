package dev.pawl.kernel.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P3, ledgers only grow: which value may stand after which. */
class ActivityLedgerFollowsTest {

    @ParameterizedTest
    @CsvSource({
        "000000000000000, 001000000000000",
        "001000000000000, 002000000000000",
        "009100000000000, 010100000000000",
        "001000000000000, 001100000000000",
        "001100000000000, 001100000000001",
        "001100009999999, 001100010000000",
        "001100000000001, 201100000000001",
        "000000000000000, 201100000000001",
        "201100000000001, 202100000000001",
        "101100000000001, 101100000000002",
    })
    void additionsAreFollowedInOneDirectionOnly(String earlier, String later) {
        assertThat(follows(later, earlier)).isTrue();
        assertThat(follows(earlier, later)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000000000000", "001100000000000", "101100000000001", "299100099999999"})
    void aValueFollowsItself(String drawing) {
        assertThat(follows(drawing, drawing)).isTrue();
    }

    @ParameterizedTest(name = "{2}: {0} does not become {1}")
    @CsvSource({
        "202100000000002, 002100000000002, position 1",
        "202100000000002, 201100000000002, leg-one entries",
        "002100000000000, 003000000000000, leg one complete",
        "202100000000002, 202100000000001, leg-two entries",
    })
    void noFieldMayShrink(String earlier, String later, String field) {
        assertThat(follows(later, earlier)).as(field).isFalse();
    }

    @ParameterizedTest(name = "{0} does not become {1}")
    @CsvSource({
        "001100000000005, 002100000000004",
        "001100000000000, 002000000000000",
        "002000000000000, 001100000000009",
        "201100000000000, 099100099999999",
    })
    void aLargerNumberDoesNotExcuseASmallerField(String earlier, String later) {
        assertThat(follows(later, earlier)).isFalse();
    }

    @ParameterizedTest(name = "{0} becomes {1}: {2}")
    @CsvSource({
        "000000000000000, 101100000000001, true",
        "001000000000000, 101100000000001, false",
        "101100000000001, 001100000000001, false",
        "101100000000001, 201100000000001, false",
        "201100000000001, 101100000000001, false",
    })
    void onlyANewLedgerBecomesATriggerAndATriggerNothingElse(String earlier, String later, boolean allowed) {
        assertThat(follows(later, earlier)).isEqualTo(allowed);
    }

    private static boolean follows(String later, String earlier) {
        return ActivityLedger.parse(later).follows(ActivityLedger.parse(earlier));
    }
}
