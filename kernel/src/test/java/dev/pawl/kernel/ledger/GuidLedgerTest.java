package dev.pawl.kernel.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuidLedgerTest {

    @ParameterizedTest
    @CsvSource({
        // ledger,       closer, work,  children, completion, ordinal
        "000000000000000, false, false, false, false,        0",
        "000010000000000, false, true,  false, false,        0",
        "000011000000007, false, true,  true,  false,        7",
        "000011100000000, false, true,  true,  true,         0",
        "000111012345678, true,  true,  true,  false, 12345678",
        "000111199999999, true,  true,  true,  true,  99999999",
    })
    void everyFieldIsReadFromItsOwnDigits(String drawing, boolean closer, boolean work, boolean children,
            boolean completion, int ordinal) {
        GuidLedger ledger = GuidLedger.parse(drawing);

        assertThat(ledger.closer()).isEqualTo(closer);
        assertThat(ledger.workDone()).isEqualTo(work);
        assertThat(ledger.ensureWorkDone().workDone()).isTrue();
        assertThat(ledger.childrenSpawned()).isEqualTo(children);
        assertThat(ledger.completionDone()).isEqualTo(completion);
        assertThat(ledger.ordinal()).isEqualTo(ordinal);
        assertThat(ledger).hasToString(drawing);
    }

    @Test
    void eachMarkerAddsItsOwnWeight() {
        GuidLedger seeded = GuidLedger.seed(0);
        GuidLedger worked = seeded.markWorkDone();
        GuidLedger spawned = worked.markChildrenSpawned();

        assertThat(worked.digits() - seeded.digits()).isEqualTo(10_000_000_000L);
        assertThat(spawned.digits() - worked.digits()).isEqualTo(1_000_000_000L);
        assertThat(spawned.markCompletionDone().digits() - spawned.digits()).isEqualTo(100_000_000L);
        assertThat(spawned.markCloser().digits() - spawned.digits()).isEqualTo(100_000_000_000L);
    }

    @Test
    void theStoreAddsTheWeightOfTheCloser() {
        GuidLedger spawned = GuidLedger.parse("000011000000001");

        assertThat(new GuidLedger(spawned.digits() + GuidLedger.CLOSER)).isEqualTo(spawned.markCloser());
    }

    /** Positions 4 to 7: closer, work done, children spawned, completion done. */
    @Test
    void ofSixteenCombinationsOfMarkersSixExist() {
        List<String> all = IntStream.range(0, 16)
                .mapToObj(bits -> "000%4s00000000".formatted(Integer.toBinaryString(bits)).replace(' ', '0'))
                .toList();

        assertThat(all).filteredOn(GuidLedgerTest::exists).containsExactly(
                "000000000000000",
                "000010000000000",
                "000011000000000",
                "000011100000000",
                "000111000000000",
                "000111100000000");
    }

    @ParameterizedTest
    @CsvSource({
        "000001000000001, step 2 follows step 1",
        "000010100000001, step 3 follows step 2",
        "000110000000001, only step 2 closes",
    })
    void aStepOutOfOrderIsCorrupt(String drawing, String rule) {
        assertThatThrownBy(() -> GuidLedger.parse(drawing)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining(rule);
    }

    /** Section 18.2: step 3 runs only under the snapshot. Only a trigger, whose ordinal is 0, completes without it. */
    @Test
    void aLegTwoMessageCompletesOnlyAsCloser() {
        GuidLedger spawned = GuidLedger.parse("000011000000001");

        assertThatThrownBy(spawned::markCompletionDone).isInstanceOf(LedgerViolation.class);
    }

    /** Sections 6 and 9.3: the snapshot is captured when step 2 commits, so it cannot come after step 3. */
    @Test
    void theCloserIsNotMarkedAfterCompletion() {
        GuidLedger completed = GuidLedger.parse("000011100000000");

        assertThatThrownBy(completed::markCloser).isInstanceOf(LedgerViolation.class);
    }

    static Stream<Arguments> markersThatAreSet() {
        return Stream.of(
                marker("000010000000001", GuidLedger::markWorkDone),
                marker("000011000000001", GuidLedger::markChildrenSpawned),
                marker("000111000000001", GuidLedger::markCloser),
                marker("000111100000001", GuidLedger::markCompletionDone));
    }

    private static Arguments marker(String drawing, UnaryOperator<GuidLedger> marker) {
        return Arguments.of(GuidLedger.parse(drawing), marker);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("markersThatAreSet")
    void aMarkerIsSetOnce(GuidLedger ledger, UnaryOperator<GuidLedger> marker) {
        assertThatThrownBy(() -> marker.apply(ledger)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("set once");
    }

    @Test
    void stepTwoIsNotMarkedBeforeStepOne() {
        GuidLedger seeded = GuidLedger.seed(1);

        assertThatThrownBy(seeded::markChildrenSpawned).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("step 2 follows step 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000000000001", "000010000000001"})
    void stepThreeIsNotMarkedBeforeStepTwo(String drawing) {
        GuidLedger ledger = GuidLedger.parse(drawing);

        assertThatThrownBy(ledger::markCompletionDone).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("step 3 follows step 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000000000001", "000010000000001"})
    void theCloserIsNotMarkedBeforeStepTwo(String drawing) {
        GuidLedger ledger = GuidLedger.parse(drawing);

        assertThatThrownBy(ledger::markCloser).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("only step 2 closes");
    }

    @ParameterizedTest
    @CsvSource({
        "-1,               reserved",
        "1000000000000,    reserved",
        "100000000000000,  reserved",
        "1000000000000000, reserved",
        "000020000000001,  0 or 1",
        "000012000000001,  0 or 1",
        "000011200000001,  0 or 1",
        "000211000000001,  0 or 1",
        "999999999999,     0 or 1",
    })
    void aValueThatCannotExistIsRefused(String number, String rule) {
        long digits = Long.parseLong(number);

        assertThatThrownBy(() -> new GuidLedger(digits)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining(rule);
    }

    @Test
    void theLastOrdinalLeavesTheMarkersAlone() {
        assertThat(GuidLedger.seed(99_999_999)).hasToString("000000099999999");
    }

    @ParameterizedTest
    @ValueSource(ints = {100_000_000, Integer.MAX_VALUE})
    void anOrdinalBeyondEightDigitsIsRefused(int ordinal) {
        assertThatThrownBy(() -> GuidLedger.seed(ordinal)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("8 digits");
    }

    @Test
    void anOrdinalBelowZeroIsRefused() {
        assertThatThrownBy(() -> GuidLedger.seed(-1)).isInstanceOf(LedgerViolation.class);
    }

    /** Section 15: the dimensional index is the leg-two entry count less one. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 1", "3, 2", "99999999, 99999998"})
    void theDimensionIsTheOrdinalLessOne(int ordinal, int dimension) {
        assertThat(GuidLedger.seed(ordinal).markWorkDone().dimension()).isEqualTo(dimension);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0000110000000010", "00001100000000x"})
    void onlyFifteenDecimalDigitsAreADrawing(String drawing) {
        assertThatThrownBy(() -> GuidLedger.parse(drawing)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("15 decimal digits");
    }

    private static boolean exists(String drawing) {
        try {
            return GuidLedger.parse(drawing).toString().equals(drawing);
        } catch (LedgerViolation refused) {
            return false;
        }
    }
}
