package dev.pawl.kernel.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P3, ledgers only grow: which value may stand after which. */
class GuidLedgerFollowsTest {

    @ParameterizedTest(name = "{0} becomes {1}, never the reverse")
    @CsvSource({
        "000000000000001, 000010000000001",
        "000010000000001, 000011000000001",
        "000010000000001, 000111000000001",
        "000011000000001, 000111000000001",
        "000011000000000, 000011100000000",
        "000111000000001, 000111100000001",
        "000000000000001, 000111100000001",
    })
    void markersAreFollowedInOneDirectionOnly(String earlier, String later) {
        assertThat(follows(later, earlier)).isTrue();
        assertThat(follows(earlier, later)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000000000000", "000010000000001", "000011100000000", "000111199999999"})
    void aValueFollowsItself(String drawing) {
        assertThat(follows(drawing, drawing)).isTrue();
    }

    @ParameterizedTest(name = "{2}: {0} does not become {1}")
    @CsvSource({
        "000010000000001, 000000000000001, work done",
        "000011000000001, 000010000000001, children spawned",
        "000111000000001, 000011000000001, closer",
        "000111100000001, 000111000000001, completion done",
    })
    void noMarkerMayBeTakenBack(String earlier, String later, String marker) {
        assertThat(follows(later, earlier)).as(marker).isFalse();
    }

    /** The closer digit is captured with step 2, so what completed without it stays without it. */
    @Test
    void theCloserDoesNotComeAfterCompletion() {
        assertThat(follows("000111100000000", "000011100000000")).isFalse();
    }

    @ParameterizedTest(name = "{0} does not become {1}")
    @CsvSource({
        "000010000000001, 000010000000002",
        "000010000000002, 000010000000001",
        "000000000000000, 000000000000001",
        "000000000000002, 000011000000001",
    })
    void theOrdinalNeverChanges(String earlier, String later) {
        assertThat(follows(later, earlier)).isFalse();
    }

    private static boolean follows(String later, String earlier) {
        return GuidLedger.parse(later).follows(GuidLedger.parse(earlier));
    }
}
