package dev.pawl.kernel.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlayTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final ActivityKey TRIGGER = ActivityKey.trigger("trigger");
    private static final Guid GUID = Guid.derive("test", "m");
    private static final Message.Signal SIGNAL = new Message.Signal(KEY, Guid.derive("test", "s"), "topic",
            new Response.Final(Payload.EMPTY));

    private final Overlay overlay = new Overlay(Snapshot.ABSENT);

    @Test
    void emptyOverlayShowsWhatIsBelow() {
        started();
        Overlay above = new Overlay(overlay);

        assertThat(above.workflow()).isEqualTo(overlay.workflow());
        assertThat(above.activity(TRIGGER)).isEqualTo(overlay.activity(TRIGGER));
        assertThat(above.guid(GUID)).isEqualTo(overlay.guid(GUID));
        assertThat(above.join(TRIGGER)).isNull();
        assertThat(above.signals()).isEmpty();
        assertThat(above.activities()).hasSize(1);
    }

    @Test
    void writesHideWhatIsBelow() {
        started();
        Overlay above = new Overlay(overlay);
        above.apply(new Write.MoveJoin(TRIGGER, 2, GUID, false));
        above.apply(new Write.BufferSignal(SIGNAL));
        above.apply(new Write.PutActivity(ActivityRecord.entered(new ActivityKey("a", TRIGGER.address().child()),
                ActivityType.WORKER, Payload.EMPTY)));

        assertThat(above.activities()).hasSize(2);
        assertThat(overlay.activities()).hasSize(1);
        assertThat(new Overlay(above).join(TRIGGER)).isEqualTo(above.join(TRIGGER));
        assertThat(overlay.join(TRIGGER)).isNull();
        assertThat(overlay.signals()).isEmpty();
        assertThat(above.signals()).containsExactly(SIGNAL);
        above.apply(new Write.TakeSignal(SIGNAL.guid()));
        assertThat(above.signals()).isEmpty();
    }

    @Test
    void aHitMarksTheMoverAsTheCloserOnlyOnce() {
        started();
        overlay.apply(new Write.PutGuid(new GuidRecord(GUID, TRIGGER, GuidLedger.parse("000011000000002"))));
        overlay.apply(new Write.MoveSemaphore(GUID, -1, GuidLedger.CLOSER, true));
        assertThat(overlay.known(GUID).ledger()).hasToString("000111000000002");

        overlay.apply(new Write.MoveSemaphore(GUID, 0, GuidLedger.CLOSER, false));
        assertThat(overlay.known(GUID).ledger()).hasToString("000111000000002");
    }

    @Test
    void aMoveThatMissesMarksNothing() {
        started();
        overlay.apply(new Write.PutGuid(new GuidRecord(GUID, TRIGGER, GuidLedger.parse("000011000000002"))));
        overlay.apply(new Write.MoveSemaphore(GUID, 1, GuidLedger.CLOSER, false));

        assertThat(overlay.known(GUID).ledger()).hasToString("000011000000002");
    }

    @Test
    void writesThatConcernDeliveryOrReadersAloneChangeNoState() {
        started();
        WorkflowRecord before = overlay.started();
        Delivery.Place place = new Delivery.Place.Queue(1);
        for (Write write : List.of(new Write.Post("g", SIGNAL), new Write.Acknowledge(place),
                new Write.Charge(place, 2),
                new Write.PutAttribute(new Attribute.Flag("a", true), NOW), new Write.GiveUp(place, "why"))) {
            overlay.apply(write);
        }

        assertThat(overlay.started()).isEqualTo(before);
    }

    @Test
    void closingIsSeenByReaders() {
        started();
        overlay.apply(new Write.CloseWorkflow(WorkflowStatus.FAILED, Payload.EMPTY, "why", NOW));

        assertThat(overlay.started().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(overlay.started().reason()).isEqualTo("why");
        assertThat(overlay.started().closedAt()).isEqualTo(NOW);
    }

    @Test
    void ledgerThatWouldShrinkIsRefused() {
        started();
        ActivityKey key = new ActivityKey("a", TRIGGER.address().child());
        ActivityRecord entered = ActivityRecord.entered(key, ActivityType.WORKER, Payload.EMPTY);
        overlay.apply(new Write.PutActivity(entered));
        overlay.apply(new Write.PutGuid(new GuidRecord(GUID, key, GuidLedger.parse("000011000000002"))));
        Overlay above = new Overlay(overlay);

        above.apply(new Write.PutActivity(entered));
        assertThatThrownBy(() -> above.apply(new Write.PutActivity(entered.with(ActivityLedger.NEW))))
                .isInstanceOf(LedgerViolation.class).hasMessageContaining("shrinks");
        assertThatThrownBy(() -> above.apply(
                new Write.PutGuid(new GuidRecord(GUID, key, GuidLedger.parse("000010000000002")))))
                .isInstanceOf(LedgerViolation.class).hasMessageContaining("shrinks");
    }

    @Test
    void whatIsNotThereCannotBeWrittenTo() {
        assertThatThrownBy(overlay::started).isInstanceOf(LedgerViolation.class);
        assertThatThrownBy(() -> overlay.existing(TRIGGER)).isInstanceOf(LedgerViolation.class);
        assertThatThrownBy(() -> overlay.known(GUID)).isInstanceOf(LedgerViolation.class);
    }

    private void started() {
        Message.Beginning beginning = new Message.Beginning("g", "d", "1", "trigger", 0, Payload.EMPTY, null);
        overlay.apply(new Write.CreateWorkflow(WorkflowRecord.created(KEY, beginning, NOW)));
        overlay.apply(new Write.PutActivity(ActivityRecord.trigger(TRIGGER, Payload.EMPTY)));
    }
}
