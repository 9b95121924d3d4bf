package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Payload;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SnapshotTest {

    private static final ActivityRecord TRIGGER = ActivityRecord.trigger(ActivityKey.trigger("order"), Payload.EMPTY);
    private static final ActivityRecord SECOND = activity(",0,2");
    private static final ActivityRecord TENTH = activity(",0,10");
    private static final GuidRecord GUID = new GuidRecord(Guid.derive("test"), TRIGGER.key(), GuidLedger.seed(0));
    private static final Gate JOIN = Gate.ofJoin(2);
    private static final Snapshot SNAPSHOT = new Snapshot(null,
            new TreeMap<>(Map.of(TENTH.key(), TENTH, SECOND.key(), SECOND, TRIGGER.key(), TRIGGER)),
            Map.of(GUID.guid(), GUID), Map.of(SECOND.key(), JOIN), List.of());

    @Test
    void whatWasLoadedIsFoundByItsKey() {
        assertThat(SNAPSHOT.activity(TENTH.key())).isEqualTo(TENTH);
        assertThat(SNAPSHOT.guid(GUID.guid())).isEqualTo(GUID);
        assertThat(SNAPSHOT.join(SECOND.key())).isEqualTo(JOIN);
    }

    @Test
    void whatDoesNotExistIsNotFound() {
        assertThat(SNAPSHOT.activity(ActivityKey.trigger("other"))).isNull();
        assertThat(SNAPSHOT.guid(Guid.derive("other"))).isNull();
        assertThat(SNAPSHOT.join(TENTH.key())).isNull();
    }

    @Test
    void activitiesComeInTheOrderOfTheirKeys() {
        assertThat(SNAPSHOT.activities()).containsExactly(TRIGGER, SECOND, TENTH);
    }

    @Test
    void aWorkflowThatWasNeverStartedIsEmpty() {
        assertThat(Snapshot.ABSENT.workflow()).isNull();
        assertThat(Snapshot.ABSENT.activities()).isEmpty();
        assertThat(Snapshot.ABSENT.guids()).isEmpty();
        assertThat(Snapshot.ABSENT.joins()).isEmpty();
        assertThat(Snapshot.ABSENT.signals()).isEmpty();
    }

    /** All of a program shares it: an activity that slipped in would belong to every workflow that does not exist. */
    @Test
    void theAbsentWorkflowCannotBeWrittenTo() {
        NavigableMap<ActivityKey, ActivityRecord> activities = Snapshot.ABSENT.activityByKey();

        assertThatThrownBy(activities::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    private static ActivityRecord activity(String address) {
        return ActivityRecord.entered(new ActivityKey("pack", new DimensionalAddress(address)), ActivityType.WORKER,
                Payload.EMPTY);
    }
}
