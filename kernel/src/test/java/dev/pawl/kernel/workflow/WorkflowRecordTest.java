package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.Semaphore;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WorkflowRecordTest {

    private static final WorkflowKey KEY = new WorkflowKey("shop", "order-1");
    private static final Beginning BEGINNING = new Beginning("shop", "checkout", "1", "order", 12, Payload.EMPTY, null);
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant CLOSED = Instant.parse("2026-01-02T00:00:00Z");
    private static final Payload OUTPUT = Payload.of(new byte[] {1});
    private static final Hash CHAIN = Hash.of("five events");
    private static final Hash NEXT = Hash.of("six events");
    private static final Gate GATE = new Gate(new Semaphore(12), 12, Guid.ofStart(KEY));

    /** Nothing in it has its initial value, so that a wither that drops a field is seen. */
    private static final WorkflowRecord FULL = new WorkflowRecord(KEY, BEGINNING, WorkflowStatus.FAILED, 5, GATE, 7,
            CHAIN, OUTPUT, "card declined", CREATED, CLOSED);

    @Test
    void aNewWorkflowRunsOpenAtVersionZeroWithTheThresholdOfItsBeginning() {
        assertThat(WorkflowRecord.created(KEY, BEGINNING, CREATED)).isEqualTo(new WorkflowRecord(KEY, BEGINNING,
                WorkflowStatus.RUNNING, 0, new Gate(new Semaphore(1), 12, null), 0, Hash.NONE, Payload.EMPTY, null,
                CREATED,
                null));
    }

    @Test
    void itsTriggerIsTheOneItBeganWith() {
        assertThat(FULL.trigger()).isEqualTo(ActivityKey.trigger("order"));
    }

    @Test
    void theGateIsReplacedAlone() {
        Gate gate = Gate.ofWorkflow(12);

        assertThat(FULL.with(gate)).isEqualTo(new WorkflowRecord(KEY, BEGINNING, WorkflowStatus.FAILED, 5, gate, 7,
                CHAIN, OUTPUT, "card declined", CREATED, CLOSED));
    }

    @Test
    void aCommitRaisesTheVersionAndLengthensTheChain() {
        assertThat(FULL.committed(NEXT)).isEqualTo(new WorkflowRecord(KEY, BEGINNING, WorkflowStatus.FAILED, 6, GATE, 7,
                NEXT, OUTPUT, "card declined", CREATED, CLOSED));
    }

    @Test
    void theNumberOfTheNextMessageIsReplacedAlone() {
        assertThat(FULL.numbered(8)).isEqualTo(new WorkflowRecord(KEY, BEGINNING, WorkflowStatus.FAILED, 5, GATE, 8,
                CHAIN, OUTPUT, "card declined", CREATED, CLOSED));
    }

    @Test
    void closingSetsTheEndAndKeepsTheRest() {
        WorkflowRecord open = WorkflowRecord.created(KEY, BEGINNING, CREATED).with(GATE).committed(CHAIN).numbered(7);

        assertThat(open.closed(WorkflowStatus.FAILED, OUTPUT, "card declined", CLOSED)).isEqualTo(new WorkflowRecord(
                KEY, BEGINNING, WorkflowStatus.FAILED, 1, GATE, 7, CHAIN, OUTPUT, "card declined", CREATED, CLOSED));
    }
}
