package dev.pawl.lab.torture.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules about attempts, each on a record that breaks it and on one that keeps it. Times are seconds. */
class AttemptRulesTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long LEASE = 2 * SECOND;
    private static final int SHARD = 7;

    private final EffectLog log = new EffectLog();
    private final Map<String, ProcessRecord> processes = new HashMap<>();

    private void process(String name, double... renewals) {
        for (double each : renewals) {
            log.renewed(name, (long) (each * SECOND), LEASE, true);
        }
        processes.put(name, new ProcessRecord(name, 1_000));
    }

    /** Waits for its attempts from the second to the third second. */
    private void ends(String name, long lease) {
        log.renewed(name, 2 * SECOND, lease, false);
        log.renewed(name, 3 * SECOND, lease, false);
    }

    private int begin(Level level, String process, double at) {
        return log.begun(process, "w", "op", level, 1, "key", (long) (at * SECOND));
    }

    private void attempt(Level level, String process, double from, double to) {
        log.ended(begin(level, process, from), (long) (to * SECOND), true);
    }

    private List<String> violations(boolean frozen) {
        return new AttemptRules(log, processes, frozen, workflow -> SHARD).violations();
    }

    @Test
    void attemptThatBeginsAfterItsLeaseIsFound() {
        process("a", 0, 5);
        attempt(Level.STEP, "a", 2.5, 3);

        assertThat(violations(true)).singleElement().asString().startsWith("lease: ");
    }

    @Test
    void attemptThatBeginsUnderARenewedLeaseIsNone() {
        process("a", 0, 5);
        attempt(Level.STEP, "a", 5.5, 6);

        assertThat(violations(true)).isEmpty();
    }

    private void owns(String process, long epoch, double at) {
        log.owned(process, SHARD, epoch, (long) (at * SECOND));
    }

    @Test
    void plainStepMayRunAgainInItsProcessIfAnotherOneHasOwnedItsShardInBetween() {
        process("a", 0, 10);
        owns("a", 1, 0);
        owns("b", 2, 3);
        owns("a", 3, 10.5);
        attempt(Level.STEP, "a", 1, 4);
        attempt(Level.STEP, "a", 11, 11.5);

        assertThat(violations(true)).isEmpty();
        assertThat(violations(false)).singleElement().asString().contains("in the same process");
    }

    /** A process that stands still may hear late that it had a shard. */
    @Test
    void epochCountsWheneverItsOwnerHeardOfIt() {
        process("a", 0, 10);
        owns("a", 1, 0);
        owns("a", 3, 10.5);
        owns("b", 2, 12);
        attempt(Level.STEP, "a", 1, 4);
        attempt(Level.STEP, "a", 11, 11.5);

        assertThat(violations(true)).isEmpty();
    }

    @Test
    void plainStepThatRunsAgainInAProcessThatKeptItsShardIsFound() {
        process("a", 0, 10);
        owns("a", 1, 0);
        owns("a", 2, 10.5);
        owns("a", 3, 10.7);
        attempt(Level.STEP, "a", 1, 4);
        attempt(Level.STEP, "a", 11, 11.5);

        assertThat(violations(true)).singleElement().asString().contains("in the same process");
    }

    @Test
    void plainStepThatRunsAgainUnderTheSameLeaseIsFound() {
        process("a", 0, 1, 2, 3);
        attempt(Level.STEP, "a", 1, 2);
        attempt(Level.STEP, "a", 3, 4);

        assertThat(violations(true)).singleElement().asString().contains("in the same process");
    }

    @Test
    void declaredAttemptDoesNotRunAgainInItsProcess() {
        process("a", 0, 10);
        attempt(Level.IDEMPOTENT, "a", 1, 4);
        attempt(Level.IDEMPOTENT, "a", 11, 11.5);

        assertThat(violations(true)).singleElement().asString().contains("in the same process");
    }

    @Test
    void repetitionWhileTheFirstProcessHasALeaseIsFound() {
        process("a", 0, 1, 2, 3);
        process("b", 0, 1, 2, 3);
        attempt(Level.STEP, "a", 1, 4);
        attempt(Level.STEP, "b", 2, 4);

        assertThat(violations(true)).singleElement().asString().contains("had a lease");
        assertThat(violations(false)).singleElement().asString().contains("had time to end it");
    }

    @Test
    void repetitionAfterTheLeaseOfTheFirstProcessIsAllowedOnlyWhereProcessesFreeze() {
        process("a", 0, 10);
        process("b", 0, 1, 2, 3);
        attempt(Level.STEP, "a", 1, 11);
        attempt(Level.STEP, "b", 3, 4);

        assertThat(violations(true)).isEmpty();
        assertThat(violations(false)).hasSize(1);
    }

    @Test
    void repetitionInTheSameProcessIsFound() {
        process("a", 0, 1, 2, 3);
        attempt(Level.IDEMPOTENT, "a", 1, 2);
        attempt(Level.IDEMPOTENT, "a", 3, 4);

        assertThat(violations(true)).singleElement().asString().contains("in the same process");
    }

    @Test
    void whatIsAtMostOnceIsNeverBegunAgain() {
        process("a", 0, 10);
        process("b", 3);
        attempt(Level.AT_MOST_ONCE, "a", 1, 11);
        attempt(Level.AT_MOST_ONCE, "b", 4, 5);

        assertThat(violations(true)).singleElement().asString().contains("is at most once");
    }

    @Test
    void reconciledAttemptIsRepeatedAfterALookThatFoundNothing() {
        process("a", 0, 10);
        process("b", 3);
        attempt(Level.RECONCILED, "a", 1, 11);
        int again = begin(Level.RECONCILED, "b", 4);

        assertThat(violations(true)).singleElement().asString().contains("without a look");

        log.look("b", "key", (long) (3.5 * SECOND));
        assertThat(violations(true)).isEmpty();
        assertThat(again).isEqualTo(2);
    }

    @Test
    void transactionOfTheEngineMayRunItsBodyAgain() {
        process("a", 0);
        attempt(Level.ENGINE_TRANSACTION, "a", 1, 2);
        attempt(Level.ENGINE_TRANSACTION, "a", 3, 4);

        assertThat(violations(false)).isEmpty();
    }

    @Test
    void attemptThatWasLeftBehindIsNotRepeatedWhileItsProcessHasALease() {
        process("a", 0, 1);
        process("b", 0, 1, 2, 3, 4, 5);
        ends("a", 60 * SECOND);
        begin(Level.STEP, "a", 1.5);
        attempt(Level.STEP, "b", 4, 5);

        assertThat(violations(false)).singleElement().asString().contains("was still there");
    }

    @Test
    void attemptThatEndedWhileItsProcessWaitedForItMayNotBeRepeated() {
        process("a", 0, 1);
        process("b", 0, 1, 2, 3, 4, 5);
        ends("a", LEASE);
        attempt(Level.STEP, "a", 1.5, 2.5);
        attempt(Level.STEP, "b", 5.5, 6);

        assertThat(violations(false)).singleElement().asString().contains("had time to end it");
    }

    @Test
    void attemptThatRanLongerThanItsProcessWaitedMayBeRepeatedAfterItsLease() {
        process("a", 0, 1);
        process("b", 0, 1, 2, 3, 4, 5);
        ends("a", LEASE);
        begin(Level.STEP, "a", 1.5);
        attempt(Level.STEP, "b", 5.5, 6);

        assertThat(violations(false)).isEmpty();
    }
}
