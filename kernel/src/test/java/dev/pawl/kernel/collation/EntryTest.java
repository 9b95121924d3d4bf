package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.ledger.Semaphore;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Source;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way a message can be taken or refused, decided from the digits alone. */
class EntryTest {

    private static final ActivityKey PAY = at("pay", ",0,0");
    private static final Message.Respond ANSWER = Message.Respond.answer(KEY, PAY, 1, DONE);
    private static final Guid OTHER = Guid.derive("test", "other");

    private final Workbench bench = new Workbench().activity("pay", task(), "ship").activity("ship", task());

    /**
     * Every combination of GUID digits that can exist, times who closed the workflow, times whether the activity has
     * finalized meanwhile.
     */
    @ParameterizedTest
    @CsvSource({
        // digits          closed by  finalized  entry
        "000000000000001,  nobody,    false,     resume WORK",
        "000010000000001,  nobody,    false,     resume SPAWN",
        "000011000000001,  nobody,    false,     duplicate",
        "000011000000001,  nobody,    true,      duplicate",
        "000000000000001,  nobody,    true,      inactive",
        "000010000000001,  nobody,    true,      inactive",
        "000000000000001,  another,   false,     inactive",
        "000010000000001,  another,   false,     inactive",
        "000011000000001,  another,   false,     duplicate",
        "000011000000001,  another,   true,      duplicate",
        "000111000000001,  itself,    false,     resume COMPLETE",
        "000111100000001,  itself,    true,      duplicate",
        "000011000000000,  itself,    false,     resume COMPLETE",
        "000011100000000,  itself,    false,     duplicate",
        "000111000000001,  another,   false,     violation",
        "000111000000001,  nobody,    false,     violation"})
    void knownMessageResumesWhereItsDigitsSay(String digits, String closedBy, boolean finalized, String expected) {
        Guid closer = switch (closedBy) {
            case "itself" -> ANSWER.guid();
            case "another" -> OTHER;
            default -> null;
        };
        Snapshot snapshot = snapshot(finalized ? "201100000000001" : "001100000000001", new Waker.None(), closer,
                new GuidRecord(ANSWER.guid(), PAY, GuidLedger.parse(digits)));

        if ("violation".equals(expected)) {
            assertThatThrownBy(() -> Collation.enter(snapshot, ANSWER, NOW)).isInstanceOf(LedgerViolation.class);
        } else {
            assertThat(named(Collation.enter(snapshot, ANSWER, NOW))).isEqualTo(expected);
        }
    }

    private static String named(Entry entry) {
        return switch (entry) {
            case Entry.Fresh fresh -> "fresh " + fresh.ordinal();
            case Entry.Resume resume -> "resume " + resume.step();
            case Entry.Keep keep -> "keep";
            case Entry.Return back -> "return";
            case Entry.Taken taken -> "taken";
            case Entry.Stale stale -> "stale";
            case Entry.Duplicate duplicate -> "duplicate";
            case Entry.Forbidden forbidden -> "forbidden";
            case Entry.Inactive inactive -> "inactive";
            case Entry.Overflow overflow -> "overflow " + overflow.leg();
        };
    }

    static Stream<Arguments> responses() {
        Waker task = new Waker.Task("queue", Payload.EMPTY, 1, NOW);
        return Stream.of(
                Arguments.of("001100000000000", task, "fresh 1"),
                Arguments.of("001100000000041", task, "fresh 42"),
                Arguments.of("001100099999998", task, "fresh 99999999"),
                Arguments.of("001100099999999", task, "overflow TWO"),
                Arguments.of("001000000000000", task, "forbidden"),
                Arguments.of("000000000000000", task, "forbidden"),
                Arguments.of("201100000000001", task, "inactive"),
                Arguments.of("001100000000000", new Waker.None(), "forbidden"),
                Arguments.of("001100000000000", new Waker.Timer(NOW), "forbidden"),
                Arguments.of("001100000000000", new Waker.Hook("topic", false), "forbidden"),
                Arguments.of("001100000000000", new Waker.FanOut("7"), "forbidden"),
                Arguments.of("001100000000000", new Waker.Child(Workbench.other("c")), "forbidden"));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void newResponseIsTakenWhenTheActivityWaitsForIt(String ledger, Waker waker, String expected) {
        assertThat(named(Collation.enter(snapshot(ledger, waker, null), ANSWER, NOW))).isEqualTo(expected);
    }

    @Test
    void eachSourceWakesItsOwnWaker() {
        Map<Source, Waker> pairs = Map.of(
                Source.TASK, new Waker.Task("queue", Payload.EMPTY, 1, NOW),
                Source.TIMER, new Waker.Timer(NOW),
                Source.SIGNAL, new Waker.Hook("topic", false),
                Source.CHILD, new Waker.Child(Workbench.other("c")),
                Source.RECEIPT, new Waker.Receipt());
        pairs.forEach((source, waker) -> {
            Message respond = new Message.Respond(KEY, ANSWER.guid(), PAY, source, DONE);
            assertThat(named(Collation.enter(snapshot("001100000000000", waker, null), respond, NOW)))
                    .isEqualTo("fresh 1");
        });
    }

    @ParameterizedTest
    @CsvSource({"001000000000000, fresh 0", "099000000000000, fresh 0", "001100000000000, stale",
        "002100000000000, stale", "201100000000000, stale"})
    void legOneMessageIsStaleOnceLegOneIsComplete(String ledger, String expected) {
        Message enter = new Message.Enter(KEY, OTHER, PAY);

        assertThat(named(Collation.enter(snapshot(ledger, new Waker.None(), null), enter, NOW))).isEqualTo(expected);
    }

    @Test
    void messageToAnActivityThatDoesNotExistIsForbidden() {
        bench.start("pay");
        ActivityKey nowhere = at("nowhere", ",0,0");

        assertThat(bench.run(new Message.Enter(KEY, OTHER, nowhere)).entry())
                .isEqualTo(new Entry.Forbidden("no such activity"));
        assertThat(bench.run(bench.answer(nowhere, 1, DONE)).entry())
                .isEqualTo(new Entry.Forbidden("no such activity"));
    }

    @Test
    void messageToAWorkflowThatWasNeverStartedIsForbiddenAndConsumed() {
        Transition transition = Collation.transition(Snapshot.ABSENT, Delivery.inbox(3, ANSWER), bench, NOW);

        assertThat(transition.entry()).isEqualTo(new Entry.Forbidden("the workflow was never started"));
        assertThat(transition.consumed()).isTrue();
        assertThat(transition.bundle()).isEqualTo(new Bundle(KEY, 0,
                List.of(Bundle.Part.of(Step.ACK, new Write.Acknowledge(new Delivery.Place.Inbox(3)))), null));
    }

    @Test
    void everyRefusedMessageIsConsumedAndChangesNothingElse() {
        bench.start("pay");
        bench.runNext();
        bench.run(ANSWER);
        WorkflowRecord before = bench.state.started();

        Transition refused = bench.run(ANSWER);

        assertThat(refused.bundle().writes()).allMatch(Write.Acknowledge.class::isInstance);
        assertThat(bench.state.started()).isEqualTo(before.committed(bench.state.started().chain()));
    }

    @Test
    void messageOverTheCeilingIsGivenUpNotConsumed() {
        Snapshot full = snapshot("001100099999999", new Waker.Task("queue", Payload.EMPTY, 1, NOW), null);

        Transition transition = Collation.transition(full, Delivery.inbox(3, ANSWER), bench, NOW);

        assertThat(transition.entry()).isEqualTo(new Entry.Overflow(Leg.TWO));
        assertThat(transition.bundle().writes()).singleElement().isInstanceOf(Write.GiveUp.class);
    }

    @Test
    void interruptOfATriggerWithAFullCounterOverflows() {
        bench.start("pay");
        ActivityRecord trigger = bench.activity(at("trigger", ",0")).with(ActivityLedger.parse("101100099999999"));
        Snapshot full = new Snapshot(bench.state.started(), new TreeMap<>(Map.of(trigger.key(), trigger)), Map.of(),
                Map.of(), List.of());

        assertThat(Collation.enter(full, new Message.Interrupt(KEY, OTHER,
                Ending.interrupted("x", false)), NOW)).isEqualTo(new Entry.Overflow(Leg.TWO));
    }

    @Test
    void knownMessageOfAnActivityThatIsGoneIsAViolation() {
        Snapshot torn = new Snapshot(record(null), new TreeMap<>(),
                Map.of(ANSWER.guid(), new GuidRecord(ANSWER.guid(), PAY, GuidLedger.seed(1))), Map.of(), List.of());

        assertThatThrownBy(() -> Collation.transition(torn, Delivery.inbox(1, ANSWER), bench, NOW))
                .isInstanceOf(LedgerViolation.class).hasMessageContaining("pay@,0,0");
    }

    @Test
    void signalsAreRoutedToTheFirstWaitingHookByAddress() {
        Workbench two = new Workbench().activity("b", new Request.WebHook("topic"))
                .activity("a", new Request.WebHook("topic"));
        two.start("b", "a");
        two.drain();

        assertThat(two.run(signal("topic", "s1", DONE)).entry()).isEqualTo(new Entry.Fresh(at("a", ",0,0"), 1));
        assertThat(two.run(signal("topic", "s2", DONE)).entry()).isEqualTo(new Entry.Fresh(at("b", ",0,0"), 1));
    }

    private static Snapshot snapshot(String ledger, Waker waker, @Nullable Guid closer, GuidRecord... guids) {
        ActivityRecord activity = ActivityRecord.entered(PAY, ActivityType.WORKER, Payload.EMPTY)
                .with(ActivityLedger.parse(ledger)).with(waker);
        Map<Guid, GuidRecord> known = new TreeMap<>();
        for (GuidRecord guid : guids) {
            known.put(guid.guid(), guid);
        }
        return new Snapshot(record(closer), new TreeMap<>(Map.of(PAY, activity)), known, Map.of(), List.of());
    }

    private static WorkflowRecord record(@Nullable Guid closer) {
        return WorkflowRecord.created(new WorkflowKey("test", "order-1"),
                Workbench.startMessage(0, null).beginning(), NOW).with(new Gate(new Semaphore(0), 0, closer));
    }
}
