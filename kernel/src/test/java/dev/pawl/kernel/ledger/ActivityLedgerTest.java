package dev.pawl.kernel.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActivityLedgerTest {

    @ParameterizedTest
    @CsvSource({
        // ledger,       entries one, complete, entries two, trigger, finalized
        "000000000000000,  0, false,        0, false, false",
        "001000000000000,  1, false,        0, false, false",
        "010100000000000, 10, true,         0, false, false",
        "099000000000000, 99, false,        0, false, false",
        "001100012345678,  1, true,  12345678, false, false",
        "001100099999999,  1, true,  99999999, false, false",
        "101100000000001,  1, true,         1, true,  false",
        "201100000000001,  1, true,         1, false, true",
        "299100099999999, 99, true,  99999999, false, true",
    })
    void everyFieldIsReadFromItsOwnDigits(String drawing, int legOneEntries, boolean legOneComplete, int legTwoEntries,
            boolean trigger, boolean finalized) {
        ActivityLedger ledger = ActivityLedger.parse(drawing);

        assertThat(ledger.legOneEntries()).isEqualTo(legOneEntries);
        assertThat(ledger.legOneComplete()).isEqualTo(legOneComplete);
        assertThat(ledger.legTwoEntries()).isEqualTo(legTwoEntries);
        assertThat(ledger.trigger()).isEqualTo(trigger);
        assertThat(ledger.finalized()).isEqualTo(finalized);
        assertThat(ledger).hasToString(drawing);
    }

    @Test
    void legOneEntryAddsOneTrillion() {
        assertThat(ActivityLedger.NEW.enterLegOne().digits()).isEqualTo(1_000_000_000_000L);
    }

    @Test
    void legOneCompletionAddsHundredBillion() {
        assertThat(ActivityLedger.NEW.enterLegOne().completeLegOne().digits()).isEqualTo(1_100_000_000_000L);
    }

    @Test
    void legTwoEntryAddsOne() {
        assertThat(ActivityLedger.parse("001100000000000").enterLegTwo().digits()).isEqualTo(1_100_000_000_001L);
    }

    @Test
    void finalizeAddsTwoHundredTrillion() {
        assertThat(ActivityLedger.parse("001100000000000").finish().digits()).isEqualTo(201_100_000_000_000L);
    }

    @Test
    void ninetyNineLegOneEntriesMoveNoOtherDigit() {
        ActivityLedger ledger = ActivityLedger.parse("001100099999999");
        for (int entry = 2; entry <= 99; entry++) {
            ledger = ledger.enterLegOne();
            assertThat(ledger).hasToString("0%02d100099999999".formatted(entry));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"099000000000000", "099100000000000", "199100000000001", "299100000000001"})
    void hundredthLegOneEntryIsRefused(String drawing) {
        ActivityLedger full = ActivityLedger.parse(drawing);

        assertThat(full.legOneExhausted()).isTrue();
        assertThatThrownBy(full::enterLegOne).isInstanceOf(LedgerViolation.class).hasMessageContaining("99 times");
    }

    @Test
    void ninetyEightLegOneEntriesLeaveRoomForOne() {
        ActivityLedger ledger = ActivityLedger.parse("098000000000000");

        assertThat(ledger.legOneExhausted()).isFalse();
        assertThat(ledger.enterLegOne()).hasToString("099000000000000");
    }

    @ParameterizedTest
    @CsvSource({
        "001100000000009, 001100000000010",
        "001100000009999, 001100000010000",
        "001100009999999, 001100010000000",
        "001100099999998, 001100099999999",
        "099100089999999, 099100090000000",
    })
    void legTwoEntriesCarryWithinTheirEightDigits(String before, String after) {
        assertThat(ActivityLedger.parse(before).enterLegTwo()).hasToString(after);
    }

    @ParameterizedTest
    @ValueSource(strings = {"001100099999999", "101100099999999", "201100099999999"})
    void hundredMillionthLegTwoEntryIsRefused(String drawing) {
        ActivityLedger full = ActivityLedger.parse(drawing);

        assertThat(full.legTwoExhausted()).isTrue();
        assertThat(full.takesLegTwo()).isFalse();
        assertThatThrownBy(full::enterLegTwo).isInstanceOf(LedgerViolation.class).hasMessageContaining("99,999,999");
    }

    @Test
    void legTwoIsTakenUntilTheActivityIsFinalized() {
        assertThat(ActivityLedger.parse("001100000000001").takesLegTwo()).isTrue();
        assertThat(ActivityLedger.parse("201100000000001").takesLegTwo()).isFalse();
    }

    @Test
    void aFullLegTwoCounterDoesNotHinderLegOne() {
        ActivityLedger full = ActivityLedger.parse("001100099999999");

        assertThat(full.enterLegOne().finish()).hasToString("202100099999999");
    }

    @Test
    void aFullLegOneCounterDoesNotHinderLegTwo() {
        ActivityLedger full = ActivityLedger.parse("099000000000000");

        assertThat(full.completeLegOne().enterLegTwo().finish()).hasToString("299100000000001");
    }

    @ParameterizedTest
    @ValueSource(strings = {"000100000000000", "000000000000001", "001000000000001", "100000000000000",
        "200000000000000", "201000000000000"})
    void whatNoSequenceOfStepsCanLeadToIsRefused(String drawing) {
        assertThatThrownBy(() -> ActivityLedger.parse(drawing)).isInstanceOf(LedgerViolation.class);
    }

    @Test
    void legOneCompletesOnce() {
        ActivityLedger complete = ActivityLedger.parse("001100000000000");

        assertThatThrownBy(complete::completeLegOne).isInstanceOf(LedgerViolation.class).hasMessageContaining("once");
    }

    @Test
    void anActivityFinalizesOnce() {
        ActivityLedger finalized = ActivityLedger.parse("201100000000001");

        assertThatThrownBy(finalized::finish).isInstanceOf(LedgerViolation.class).hasMessageContaining("once");
    }

    @Test
    void aTriggerNeverFinalizes() {
        assertThatThrownBy(ActivityLedger.TRIGGER::finish).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("trigger never");
    }

    @ParameterizedTest
    @CsvSource({
        "-1,               15 digits",
        "1000000000000000, 15 digits",
        "999999999999999,  position 1",
        "300000000000000,  position 1",
        "000200000000000,  position 4",
        "000900000000000,  position 4",
        "000010000000000,  reserved",
        "000001000000000,  reserved",
        "000000100000000,  reserved",
        "001199999999999,  reserved",
    })
    void aValueThatCannotExistIsRefused(String number, String rule) {
        long digits = Long.parseLong(number);

        assertThatThrownBy(() -> new ActivityLedger(digits)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining(rule)
                .hasMessageEndingWith(": " + digits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00110000000000", "0011000000000000", "+01100000000000", "-01100000000000",
        "00110000000000a", "00110000000000١", " 01100000000000"})
    void onlyFifteenDecimalDigitsAreADrawing(String drawing) {
        assertThatThrownBy(() -> ActivityLedger.parse(drawing)).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("15 decimal digits");
    }
}
