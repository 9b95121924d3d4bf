package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The event log: one event for each version, appended by the commit that makes it and sealed to the one before. */
interface EventContract extends ContractWorld {

    private EventLog log() {
        return new EventLog(store());
    }

    @Test
    default void eventIsAppendedInTheCommitThatMakesTheVersion() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        Bundle start = driver.compute(Driver.start(key)).bundle();
        driver.commit(start);
        assertThat(log().events(key)).containsExactly(EventLog.event(start));

        Bundle next = driver.compute(driver.queue().getFirst()).bundle();
        driver.commit(next);

        assertThat(log().events(key)).containsExactly(EventLog.event(start), EventLog.event(next));
        assertThat(log().row(key).chain()).isEqualTo(EventLog.event(next).hash());
    }

    @Test
    default void everyBundleOfABatchLeavesItsEvent() {
        Driver driver = driver();
        WorkflowKey one = driver.running(0);
        WorkflowKey two = driver.running(1);
        Bundle[] first = driver.batch(Driver.answer(one, "a"), Driver.answer(one, "b"));
        Bundle[] second = driver.batch(Driver.answer(two, "a"));
        driver.commit(first[0], second[0], first[1]);

        assertThat(log().events(one)).endsWith(EventLog.event(first[0]), EventLog.event(first[1])).hasSize(5);
        assertThat(log().events(two)).endsWith(EventLog.event(second[0])).hasSize(4);
        assertThat(List.of(one, two)).allSatisfy(log()::intact);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    default void eventsAreReadPageByPageInOrder(int page) {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.run(Driver.answer(key, "a"));
        driver.run(Driver.answer(key, "b"));
        List<Event> all = log().events(key);
        assertThat(all).extracting(Event::number).containsExactly(1L, 2L, 3L, 4L, 5L);

        assertThat(LongStream.rangeClosed(0, 6).mapToObj(after -> store().events(key, after, page))).isEqualTo(
                Stream.of(0, 1, 2, 3, 4, 5, 5).map(from -> all.subList(from, Math.min(5, from + page))).toList());
    }

    @Test
    default void startFromOutsideLeavesTheFirstEvent() {
        Driver driver = driver();
        Message.Start start = Driver.start(driver.key(0));
        Bundle inception = Collation.inception(start, NOW);
        store().start(start, inception);
        store().start(start, Collation.inception(start, NOW.plusSeconds(1)));

        assertThat(log().events(driver.key(0))).containsExactly(EventLog.event(inception));
        driver.run(driver.inbox().getFirst());
        assertThat(log().events(driver.key(0))).hasSize(2);
        log().intact(driver.key(0));
    }

    @Test
    default void workflowThatWasNeverStartedHasNoEvents() {
        Driver driver = driver();
        driver.running(0);

        assertThat(log().events(ContractWorld.key("nobody"))).isEmpty();
        assertThat(log().events(new WorkflowKey("elsewhere", driver.key(0).workflowId()))).isEmpty();
    }

    @Test
    default void whatTouchesInboxesAloneLeavesNoEvent() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        List<Event> before = log().events(key);
        store().post(GROUP, Driver.answer(key, "a"));
        driver.commit(driver.handmade(key, new Write.Charge(driver.inbox().getFirst().place(), 2)));

        assertThat(log().events(key)).isEqualTo(before);
        log().intact(key);
    }

    @ParameterizedTest(name = "text {index}")
    @ValueSource(strings = {"plain", "\u00e9 \u4e2d \ud83d\ude00 \u2028", "say \"hi\" \\ / 'it''s' %_", "a\0b",
        "\n\r\t\b\f\u001f",
        "e\u0301 is not \u00e9", "\ud83d alone", "\ufeff\uffff", "  blanks  "})
    default void textOfAnEventIsReadBackToTheByte(String text) {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle bundle = telling(key, text);
        driver.commit(bundle);
        reopen();

        assertThat(store().events(key, log().row(key).version() - 1, 10)).containsExactly(EventLog.event(bundle));
        log().intact(key);
    }

    @Test
    default void eventMayBeLong() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle bundle = telling(key, "\u00e9".repeat(200_000));
        driver.commit(bundle);
        reopen();

        assertThat(log().events(key)).endsWith(EventLog.event(bundle));
    }

    /** A text that stands in the event alone: no other column has to bear it. */
    private Bundle telling(WorkflowKey key, String text) {
        Snapshot view = store().load(key);
        ActivityRecord unchanged = Objects.requireNonNull(view.activity(Driver.child("a")));
        return Bundle.sealed(key, view, new Occasion(text, Guid.ofStart(key), NOW),
                List.of(Part.of(Step.WORK, new Write.PutActivity(unchanged))));
    }

    @Test
    default void headOfTheChainSurvivesAndTheLogGoesOnFromIt() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Hash head = log().row(key).chain();
        List<Event> before = log().events(key);
        reopen();

        assertThat(log().row(key).chain()).isEqualTo(head);
        assertThat(log().events(key)).isEqualTo(before);
        driver.run(Driver.answer(key, "a"));
        log().intact(key);
    }
}
