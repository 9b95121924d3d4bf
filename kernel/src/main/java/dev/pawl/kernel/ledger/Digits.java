package dev.pawl.kernel.ledger;

/**
 * The fifteen decimal digits that both ledgers are written in.
 *
 * <pre>
 * Position:   1    2    3   4     5    6   7     8    9   10    11   12  13   14   15
 * Weight:    100T  10T  1T  100B  10B  1B  100M  10M  1M  100K  10K  1K  100  10   1
 * </pre>
 */
final class Digits {

    static final int POSITIONS = 15;
    static final long MAX = 999_999_999_999_999L;

    static final long ONE_TRILLION = 1_000_000_000_000L;
    static final long HUNDRED_TRILLION = 100 * ONE_TRILLION;
    static final long HUNDRED_BILLION = 100_000_000_000L;
    static final long TEN_BILLION = 10_000_000_000L;
    static final long ONE_BILLION = 1_000_000_000L;
    static final long HUNDRED_MILLION = 100_000_000L;

    /** The counter in positions 8-15; it must never carry into position 7. */
    static final int COUNTER_MAX = 99_999_999;

    private Digits() {
    }

    /** The digit that stands at a weight: {@code at(001100…, HUNDRED_BILLION)} is 1. */
    static int at(long digits, long weight) {
        return (int) (digits / weight % 10);
    }

    static int counter(long digits) {
        return (int) (digits % HUNDRED_MILLION);
    }

    static String draw(long digits) {
        String number = Long.toString(digits);
        return "0".repeat(POSITIONS - number.length()) + number;
    }

    static long parse(String drawing) {
        if (drawing.length() != POSITIONS || !drawing.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new LedgerViolation("a ledger is drawn as " + POSITIONS + " decimal digits, not '" + drawing + "'");
        }
        return Long.parseLong(drawing);
    }

    static void require(boolean holds, String rule, long digits) {
        if (!holds) {
            throw new LedgerViolation(rule + ": " + digits);
        }
    }
}
