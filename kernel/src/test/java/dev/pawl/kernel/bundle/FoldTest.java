package dev.pawl.kernel.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the events of whole transitions do not show; those are folded wherever {@code Workbench} commits. */
class FoldTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final WorkflowKey KEY = new WorkflowKey("test", "order-1");
    private static final ActivityKey TRIGGER = ActivityKey.trigger("begin");
    private static final ActivityKey OTHER = ActivityKey.trigger("other");
    private static final Payload INPUT = text("input");
    private static final Guid START = Guid.ofStart(KEY);

    private final Overlay state = new Overlay(Snapshot.ABSENT);
    private final Fold fold = new Fold(KEY);

    @Test
    void everyWriteComesBack() {
        Origin origin = new Origin(new Recipient("shop", new WorkflowKey("test", "parent")), OTHER,
                Guid.derive("test", "answer"), false);
        start(origin);
        ActivityRecord child = ActivityRecord.entered(OTHER, ActivityType.AWAIT, INPUT)
                .withChild(new Recipient("till", new WorkflowKey("test", "child")));
        Guid mover = Guid.derive("test", "mover");
        commit(new Write.PutActivity(child), new Write.PutGuid(new GuidRecord(mover, OTHER, GuidLedger.seed(1))));
        commit(new Write.PutActivity(child.with(text("done"))), new Write.Enqueue(4, start(null, KEY)),
                new Write.Post("shop", start(null, KEY)));
        commit(signal("a", new Response.Failure(INPUT)), signal("b", new Response.Pending(INPUT)),
                signal("c", new Response.Final(Payload.EMPTY)));
        commit(new Write.TakeSignal(Guid.derive("test", "b")));
        commit(new Write.PutGuid(
                new GuidRecord(mover, OTHER, GuidLedger.seed(1).markWorkDone().markChildrenSpawned())));
        assertThat(fold.hasJoins()).isFalse();
        commit(new Write.MoveJoin(OTHER, 2, mover, false));
        assertThat(fold.hasJoins()).isTrue();
        commit(new Write.MoveSemaphore(mover, -1, GuidLedger.CLOSER, true));

        assertThat(fold.snapshot()).isEqualTo(state.snapshot());
        assertThat(fold.snapshot().guid(mover).ledger().closer()).isTrue();
        assertThat(fold.snapshot().workflow().messages()).isEqualTo(5);
        assertThat(fold.snapshot().signals()).hasSize(2);
    }

    @Test
    void effectsAndAttributesAreReadAsTheyWereWritten() {
        Effect.Key key = new Effect.Key("charge", "op", "k 1");
        List<Write> writes = List.of(
                effect(Effect.declared(key)),
                effect(Effect.declared(key).completed(Payload.EMPTY)),
                effect(Effect.declared(key).completed(INPUT)),
                effect(Effect.declared(key).after(EffectStatus.TIMED_OUT, text("late"))),
                attribute(new Attribute.Text("a", "x")),
                attribute(new Attribute.Whole("b", -3)),
                attribute(new Attribute.Flag("c", true)),
                attribute(new Attribute.Time("d", NOW)),
                attribute(new Attribute.Memo("e", Payload.EMPTY)),
                attribute(new Attribute.Removed(new Attribute.Key(true, "f"))),
                attribute(new Attribute.Removed(new Attribute.Key(false, "g"))));

        for (Write write : writes) {
            Seal seal = seal(write);
            EventReader reader = new EventReader(KEY, state, seal.entry(), List.of());

            assertThat(reader.writes()).containsExactly(write);
            assertThat(reader.nextNumber()).isNull();
        }
    }

    @Test
    void eventThatDoesNotFollowIsRefused() {
        Bundle start = start(null);
        Seal seal = Objects.requireNonNull(start.seal());

        assertThatThrownBy(() -> fold.add(seal.entry())).isInstanceOf(LedgerViolation.class)
                .hasMessage("event 1 of test/order-1 does not follow event 1");
        Event unchained = Event.of(2, "{\"at\":1}");
        assertThatThrownBy(() -> fold.add(new JournalEntry(unchained, List.of()))).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("event 2 of test/order-1 does not follow event 1");
        Fold empty = new Fold(KEY);
        assertThatThrownBy(() -> empty.add(
                new JournalEntry(Event.of(1, "{\"at\":1,\"previous\":\"x\"}"), List.of())))
                .isInstanceOf(LedgerViolation.class);
    }

    @Test
    void payloadThatWasChangedIsRefused() {
        Seal seal = Objects.requireNonNull(start(null).seal());

        assertThatThrownBy(() -> new Fold(KEY)
                .add(new JournalEntry(seal.event(), List.of(text("other")))))
                .isInstanceOf(LedgerViolation.class).hasMessageContaining("the payload of \"input\"");
    }

    @Test
    void payloadMayBeKeptElsewhere() {
        Seal seal = Objects.requireNonNull(start(null).seal());
        Fold other = new Fold(KEY, text("another"), INPUT);

        other.add(new JournalEntry(seal.event(), List.of()));

        assertThat(other.snapshot()).isEqualTo(fold.snapshot());
    }

    @Test
    void effectsAndAttributesAreWhatTheLastEventSaysOfThem() {
        start(null);
        Effect.Key key = new Effect.Key("charge", "op", "k 1");
        commit(effect(Effect.declared(key)), attribute(new Attribute.Whole("a", 1)),
                attribute(new Attribute.Flag("b", true)));
        EffectRecord completed = new EffectRecord(EffectRecord.VERSION, KEY, Effect.declared(key).completed(INPUT),
                NOW, NOW);
        commit(new Write.PutEffect(completed), attribute(new Attribute.Whole("a", 2)),
                attribute(new Attribute.Removed(new Attribute.Key(false, "b"))));

        assertThat(fold.effects()).containsExactly(completed);
        assertThat(fold.attributes()).containsExactly(new Attribute.Whole("a", 2));
    }

    @Test
    void oneActivityIsReadFromTheEventsThatTellOfIt() {
        Bundle start = start(null);
        ActivityRecord other = ActivityRecord.entered(OTHER, ActivityType.WORKER, INPUT);
        Bundle first = commit(new Write.PutActivity(other));
        Bundle last = commit(new Write.PutActivity(other.with(text("done"))));

        List<JournalEntry> entries = Stream.of(start, first, last).map(each -> each.seal().entry()).toList();
        assertThat(new Fold(KEY).activity(OTHER, entries)).isEqualTo(other.with(text("done")));
        assertThat(new Fold(KEY).activity(TRIGGER, entries)).isEqualTo(ActivityRecord.trigger(TRIGGER, INPUT));
        assertThat(new Fold(KEY).activity(ActivityKey.trigger("third"), entries)).isNull();
        assertThatThrownBy(() -> new Fold(KEY).activity(OTHER, entries.subList(2, 3)))
                .isInstanceOf(LedgerViolation.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"at\":1,\"started\":{}}", "{\"at\":\"x\"}",
        "{\"activities\":[{\"key\":\"a,0\",\"ledger\":-1}],\"at\":1}",
        "{\"activities\":3}",
        "{\"activities\":[{\"key\":\"a,0\",\"ledger\":0,\"type\":\"TRIGGER\"}],\"at\":1,\"started\":{}}",
        "{\"at\":1,\"held\":{\"status\":\"COMPLETED\"}}"})
    void eventThatIsNotAsItWasWrittenIsRefused(String json) {
        assertThatThrownBy(() -> new Fold(KEY)
                .add(new JournalEntry(Event.of(1, json), List.of()))).isInstanceOf(LedgerViolation.class);
    }

    @Test
    void triggerThatIsToldWithoutAStartHasAnInputOfItsOwn() {
        start(null);
        Seal seal = seal(new Write.PutActivity(ActivityRecord.trigger(OTHER, Payload.EMPTY)));

        assertThat(new EventReader(KEY, state, seal.entry(), List.of()).writes())
                .containsExactly(new Write.PutActivity(ActivityRecord.trigger(OTHER, Payload.EMPTY)));
    }

    private Bundle start(Origin origin) {
        Message.Start start = start(origin, KEY);
        return commit(new Write.CreateWorkflow(WorkflowRecord.created(KEY, start.beginning(), NOW)),
                new Write.PutActivity(ActivityRecord.trigger(TRIGGER, INPUT)),
                new Write.PutGuid(new GuidRecord(START, TRIGGER, GuidLedger.seed(0))));
    }

    private static Message.Start start(Origin origin, WorkflowKey key) {
        return new Message.Start(key, new Message.Beginning("shop", "checkout", "1", "begin", 0, INPUT, origin));
    }

    private Bundle commit(Write... writes) {
        Bundle bundle = Bundle.sealed(KEY, state, new Occasion("test", START, NOW),
                new ArrayList<>(List.of(Part.of(Step.WORK, writes))));
        Seal seal = Objects.requireNonNull(bundle.seal());
        state.apply(bundle);
        fold.add(seal.entry());
        assertThat(fold.snapshot()).isEqualTo(state.snapshot());
        return bundle;
    }

    private static Seal seal(Write write) {
        return Seal.of(new Occasion("test", START, NOW), Hash.NONE, 1, List.of(write),
                Map.of(), false);
    }

    private static Write signal(String id, Response response) {
        return new Write.BufferSignal(new Message.Signal(KEY, Guid.derive("test", id), "topic " + id, response));
    }

    private static Write effect(Effect effect) {
        return new Write.PutEffect(EffectRecord.of(KEY, effect, NOW));
    }

    private static Write attribute(Attribute attribute) {
        return new Write.PutAttribute(attribute, NOW);
    }

    private static Payload text(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
