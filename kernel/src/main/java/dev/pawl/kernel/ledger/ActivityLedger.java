package dev.pawl.kernel.ledger;

/**
 * What one activity has durably done, as one integer that only grows.
 *
 * <pre>
 *  2 01 1 000 00000001
 *  | |  | |   |
 *  | |  | |   +-- 8-15  leg-two entries, 0..99,999,999  (+1)
 *  | |  | +------ 5-7   reserved, always 0
 *  | |  +-------- 4     leg one complete                (+100B)
 *  | +----------- 2-3   leg-one entries, 0..99          (+1T)
 *  +------------- 1     0 active, 1 trigger seed, 2 finalized (+200T)
 * </pre>
 *
 * Every operation refuses an overflow before it happens, and sets a marker only where its digit is 0.
 */
public record ActivityLedger(long digits) {

    public static final ActivityLedger NEW = new ActivityLedger(0);

    /** A trigger is born complete: its one entry, its leg one and its first dimension are part of the start. */
    public static final ActivityLedger TRIGGER = new ActivityLedger(101_100_000_000_001L);

    public static final int LEG_ONE_ENTRIES_MAX = 99;
    public static final int LEG_TWO_ENTRIES_MAX = Digits.COUNTER_MAX;

    private static final long LEG_ONE_ENTRY = Digits.ONE_TRILLION;
    private static final long LEG_ONE_COMPLETE = Digits.HUNDRED_BILLION;
    private static final long LEG_TWO_ENTRY = 1;
    private static final long FINALIZE = 2 * Digits.HUNDRED_TRILLION;

    public ActivityLedger {
        Digits.require(digits >= 0 && digits <= Digits.MAX, "an activity ledger has 15 digits", digits);
        Digits.require(Digits.at(digits, Digits.HUNDRED_TRILLION) <= 2, "position 1 is 0, 1 or 2", digits);
        Digits.require(Digits.at(digits, Digits.HUNDRED_BILLION) <= 1, "position 4 is 0 or 1", digits);
        Digits.require(digits % Digits.HUNDRED_BILLION < Digits.HUNDRED_MILLION, "positions 5-7 are reserved", digits);
        boolean complete = Digits.at(digits, Digits.HUNDRED_BILLION) == 1;
        Digits.require(!complete || digits / Digits.ONE_TRILLION % 100 > 0, "leg one is entered before it completes",
                digits);
        Digits.require(complete || digits % Digits.HUNDRED_MILLION == 0, "leg two follows leg one", digits);
        Digits.require(complete || digits < Digits.HUNDRED_TRILLION, "only what is complete finalizes", digits);
    }

    public static ActivityLedger parse(String drawing) {
        return new ActivityLedger(Digits.parse(drawing));
    }

    public int legOneEntries() {
        return (int) (digits / LEG_ONE_ENTRY % 100);
    }

    public boolean legOneComplete() {
        return Digits.at(digits, LEG_ONE_COMPLETE) == 1;
    }

    public int legTwoEntries() {
        return Digits.counter(digits);
    }

    public boolean trigger() {
        return Digits.at(digits, Digits.HUNDRED_TRILLION) == 1;
    }

    public boolean finalized() {
        return Digits.at(digits, Digits.HUNDRED_TRILLION) == 2;
    }

    public boolean legOneExhausted() {
        return legOneEntries() == LEG_ONE_ENTRIES_MAX;
    }

    public boolean legTwoExhausted() {
        return legTwoEntries() == LEG_TWO_ENTRIES_MAX;
    }

    /** Whether another leg-two message may enter. */
    public boolean takesLegTwo() {
        return !finalized() && !legTwoExhausted();
    }

    /** +1T. The 100th entry is refused: it would carry into position 1 and read as finalized. */
    public ActivityLedger enterLegOne() {
        Digits.require(!legOneExhausted(), "leg one is entered at most 99 times", digits);
        return plus(LEG_ONE_ENTRY);
    }

    /** +100B, in the commit that holds the leg-one work. */
    public ActivityLedger completeLegOne() {
        Digits.require(!legOneComplete(), "leg one completes once", digits);
        return plus(LEG_ONE_COMPLETE);
    }

    /** +1. The entry after 99,999,999 is refused: it would carry into position 7. */
    public ActivityLedger enterLegTwo() {
        Digits.require(!legTwoExhausted(), "leg two is entered at most 99,999,999 times", digits);
        return plus(LEG_TWO_ENTRY);
    }

    /** +200T: no new leg-two message is taken from here on. A trigger never finalizes. */
    public ActivityLedger finish() {
        Digits.require(!trigger() && !finalized(), "an activity finalizes once, a trigger never", digits);
        return plus(FINALIZE);
    }

    /** True if this value can be reached from the earlier one by additions alone, field by field. */
    public boolean follows(ActivityLedger earlier) {
        boolean kind = trigger() == earlier.trigger() || earlier.digits == 0;
        return kind
                && Digits.at(digits, Digits.HUNDRED_TRILLION) >= Digits.at(earlier.digits, Digits.HUNDRED_TRILLION)
                && legOneEntries() >= earlier.legOneEntries()
                && Digits.at(digits, LEG_ONE_COMPLETE) >= Digits.at(earlier.digits, LEG_ONE_COMPLETE)
                && legTwoEntries() >= earlier.legTwoEntries();
    }

    private ActivityLedger plus(long weight) {
        return new ActivityLedger(digits + weight);
    }

    /** The drawing: {@code 001100000000001}. */
    @Override
    public String toString() {
        return Digits.draw(digits);
    }
}
