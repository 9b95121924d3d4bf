package dev.pawl.kernel.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which bundles have a seal, and what it is sealed to. */
class BundleTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.123Z");
    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final Occasion OCCASION = new Occasion("test", Guid.derive("test", "m"), NOW);
    private static final Write INBOX = new Write.Acknowledge(new Delivery.Place.Inbox(1));
    private static final Write QUEUE = new Write.Acknowledge(new Delivery.Place.Queue(1));
    private static final WorkflowRecord CREATED = WorkflowRecord.created(KEY,
            new Message.Beginning("g", "d", "1", "trigger", 0, Payload.EMPTY, null), NOW);
    private static final WorkflowRecord AT_SEVEN = atVersion(7);

    @Test
    void eventIsNumberedLikeTheVersionItsBundleMakes() {
        Bundle bundle = sealed(AT_SEVEN, QUEUE);

        assertThat(bundle.expectedVersion()).isEqualTo(7);
        assertThat(seal(bundle).event().number()).isEqualTo(8);
        assertThat(seal(bundle).previous()).isEqualTo(AT_SEVEN.chain());
        assertThat(seal(bundle).event().follows(AT_SEVEN.chain())).isTrue();
    }

    @Test
    void firstEventFollowsNothing() {
        Bundle bundle = sealed(null, new Write.CreateWorkflow(CREATED));

        assertThat(bundle.expectedVersion()).isZero();
        assertThat(seal(bundle).event().follows(Hash.NONE)).isTrue();
    }

    @Test
    void whatMakesNoVersionHasNoSeal() {
        assertThat(sealed(AT_SEVEN, INBOX).seal()).isNull();
        assertThat(sealed(AT_SEVEN).seal()).isNull();
        assertThat(sealed(null, INBOX).seal()).isNull();
        assertThat(sealed(null, QUEUE).seal()).as("a workflow that does not exist").isNull();
    }

    @Test
    void sealKnowsWhetherTheWorkflowWasClosedBefore() {
        Write closes = new Write.MoveSemaphore(OCCASION.guid(), -1, 0, true);
        WorkflowRecord closed = AT_SEVEN.with(AT_SEVEN.gate().move(-1, OCCASION.guid()));

        List<Bundle> open = Bundle.sealed(KEY, view(AT_SEVEN), OCCASION,
                List.of(Part.of(Step.SPAWN, closes), Part.of(Step.COMPLETE, QUEUE))).apart();
        List<Bundle> over = sealed(closed, QUEUE).apart();

        assertThat(seal(sealed(AT_SEVEN, QUEUE)).closed()).isFalse();
        assertThat(seal(sealed(closed, QUEUE)).closed()).isTrue();
        assertThat(open).extracting(each -> seal(each).closed()).containsExactly(false, true);
        assertThat(over).extracting(each -> seal(each).closed()).containsExactly(true);
    }

    @Test
    void stepsApartAreSealedToOneAnotherAndThoseOfInboxesAreLeftOut() {
        Bundle bundle = Bundle.sealed(KEY, view(AT_SEVEN), OCCASION, List.of(Part.of(Step.ENTRY, QUEUE),
                Part.of(Step.WORK, INBOX), Part.of(Step.SPAWN, QUEUE), Part.of(Step.ACK, INBOX)));

        List<Bundle> apart = bundle.apart();

        assertThat(apart).extracting(Bundle::expectedVersion).containsExactly(7L, 8L, 8L, 9L);
        assertThat(apart.get(1).seal()).isNull();
        assertThat(apart.get(3).seal()).isNull();
        Seal first = seal(apart.get(0));
        Seal second = seal(apart.get(2));
        assertThat(first.previous()).isEqualTo(AT_SEVEN.chain());
        assertThat(second.previous()).isEqualTo(first.event().hash());
        assertThat(second.event().number()).isEqualTo(9);
        assertThat(second.occasion()).isEqualTo(OCCASION);
    }

    @Test
    void onlyStepKeepsTheSealOfTheWhole() {
        Bundle bundle = sealed(AT_SEVEN, QUEUE);

        assertThat(bundle.apart()).containsExactly(bundle);
    }

    @Test
    void stepsWithoutAWorkflowMakeNoVersionsApartEither() {
        Bundle bundle = Bundle.sealed(KEY, Snapshot.ABSENT, OCCASION, List.of(Part.of(Step.WORK, QUEUE),
                Part.of(Step.ACK, QUEUE)));

        assertThat(bundle.apart()).allMatch(each -> each.seal() == null && each.expectedVersion() == 0);
    }

    @Test
    void sealOfAnotherVersionIsRefused() {
        Bundle bundle = sealed(AT_SEVEN, QUEUE);

        assertThatThrownBy(() -> new Bundle(KEY, 8, bundle.parts(), bundle.seal()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("event 8");
    }

    @Test
    void sealWhoseEventDoesNotFollowIsRefused() {
        Seal seal = seal(sealed(AT_SEVEN, QUEUE));

        assertThatThrownBy(() -> new Seal(OCCASION, Hash.NONE, seal.entry(), Map.of(), false))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("does not follow");
    }

    @Test
    void sameWritesOnTheSameOccasionGiveTheSameEventToTheByte() {
        assertThat(sealed(AT_SEVEN, QUEUE)).isEqualTo(sealed(AT_SEVEN, QUEUE));
    }

    @Test
    void endIsToldToTheMillisecond() {
        Write.CloseWorkflow close = new Write.CloseWorkflow(WorkflowStatus.COMPLETED, Payload.EMPTY, null,
                NOW.plusNanos(1_999_999));

        assertThat(close.closedAt()).isEqualTo(NOW.plusMillis(1));
        assertThat(seal(sealed(AT_SEVEN, close)).event().json())
                .contains("\"closed\":{\"at\":1893456000124,\"status\":\"COMPLETED\"}");
    }

    private static Bundle sealed(@Nullable WorkflowRecord before, Write... writes) {
        return Bundle.sealed(KEY, view(before), OCCASION, List.of(Part.of(Step.WORK, writes)));
    }

    private static Snapshot view(@Nullable WorkflowRecord workflow) {
        return new Snapshot(workflow, Collections.emptyNavigableMap(), Map.of(), Map.of(), List.of());
    }

    private static Seal seal(Bundle bundle) {
        return Objects.requireNonNull(bundle.seal());
    }

    private static WorkflowRecord atVersion(long version) {
        WorkflowRecord record = CREATED;
        while (record.version() < version) {
            record = record.committed(Hash.of("event " + record.version()));
        }
        return record;
    }
}
