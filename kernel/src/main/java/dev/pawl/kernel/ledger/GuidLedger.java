package dev.pawl.kernel.ledger;

/**
 * What one message has durably done, as one integer that only grows. It alone decides where a redelivery resumes.
 *
 * <pre>
 *  000 1 1 1 1 00000001
 *  |   | | | | |
 *  |   | | | | +-- 8-15 ordinal: the activity's leg-two entry this message is; 0 for a leg-one message
 *  |   | | | +---- 7    step 3, completion tasks done (+100M)
 *  |   | | +------ 6    step 2, children spawned      (+1B)
 *  |   | +-------- 5    step 1, work done             (+10B)
 *  |   +---------- 4    this message closed the workflow (+100B, by the store, with step 2)
 *  +-------------- 1-3  reserved, always 0
 * </pre>
 *
 * The steps are ordered, so a value with step 2 but not step 1 does not exist and is refused as corrupt.
 */
public record GuidLedger(long digits) {

    /** What the compound primitive adds to the message that moved the semaphore to its threshold. */
    public static final long CLOSER = Digits.HUNDRED_BILLION;

    private static final long WORK_DONE = Digits.TEN_BILLION;
    private static final long CHILDREN_SPAWNED = Digits.ONE_BILLION;
    private static final long COMPLETION_DONE = Digits.HUNDRED_MILLION;

    public GuidLedger {
        Digits.require(digits >= 0 && digits < Digits.ONE_TRILLION, "positions 1-3 are reserved", digits);
        for (long weight : new long[] {CLOSER, WORK_DONE, CHILDREN_SPAWNED, COMPLETION_DONE}) {
            Digits.require(Digits.at(digits, weight) <= 1, "a step marker is 0 or 1", digits);
        }
        boolean spawned = Digits.at(digits, CHILDREN_SPAWNED) == 1;
        Digits.require(!spawned || Digits.at(digits, WORK_DONE) == 1, "step 2 follows step 1", digits);
        Digits.require(spawned || Digits.at(digits, COMPLETION_DONE) == 0, "step 3 follows step 2", digits);
        Digits.require(spawned || Digits.at(digits, CLOSER) == 0, "only step 2 closes", digits);
        // A trigger completes without the closer digit; it is a leg-one message, so its ordinal is 0.
        boolean completedOnly = Digits.at(digits, COMPLETION_DONE) == 1 && Digits.at(digits, CLOSER) == 0;
        Digits.require(!completedOnly || Digits.counter(digits) == 0, "step 3 is the closer's", digits);
    }

    /** The value a message starts with: its ordinal among the leg-two messages of its activity. */
    public static GuidLedger seed(int ordinal) {
        Digits.require(ordinal <= Digits.COUNTER_MAX, "an ordinal has 8 digits", ordinal);
        return new GuidLedger(ordinal);
    }

    public static GuidLedger parse(String drawing) {
        return new GuidLedger(Digits.parse(drawing));
    }

    public int ordinal() {
        return Digits.counter(digits);
    }

    /** The plane this message's descendants live in: the first entry, and any leg-one message, is plane 0. */
    public int dimension() {
        return Math.max(0, ordinal() - 1);
    }

    public boolean workDone() {
        return Digits.at(digits, WORK_DONE) == 1;
    }

    public boolean childrenSpawned() {
        return Digits.at(digits, CHILDREN_SPAWNED) == 1;
    }

    public boolean closer() {
        return Digits.at(digits, CLOSER) == 1;
    }

    public boolean completionDone() {
        return Digits.at(digits, COMPLETION_DONE) == 1;
    }

    public GuidLedger markWorkDone() {
        return set(WORK_DONE);
    }

    /** The same, of a message that may have been cut after its work. */
    public GuidLedger ensureWorkDone() {
        return workDone() ? this : markWorkDone();
    }

    public GuidLedger markChildrenSpawned() {
        return set(CHILDREN_SPAWNED);
    }

    public GuidLedger markCloser() {
        Digits.require(!completionDone(), "the closer is known before step 3", digits);
        return set(CLOSER);
    }

    public GuidLedger markCompletionDone() {
        return set(COMPLETION_DONE);
    }

    /** True if this value can be reached from the earlier one by setting markers alone. */
    public boolean follows(GuidLedger earlier) {
        return ordinal() == earlier.ordinal()
                && (workDone() || !earlier.workDone())
                && (childrenSpawned() || !earlier.childrenSpawned())
                && (closer() || !earlier.closer())
                && (completionDone() || !earlier.completionDone())
                && (!earlier.completionDone() || closer() == earlier.closer());
    }

    private GuidLedger set(long weight) {
        Digits.require(Digits.at(digits, weight) == 0, "a marker is set once", digits);
        return new GuidLedger(digits + weight);
    }

    /** The drawing: {@code 000011000000001}. */
    @Override
    public String toString() {
        return Digits.draw(digits);
    }
}
