package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.MORE;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Collation.md 20.4: sleeping, waiting for a signal, passing through. */
class HookTest {

    private static final ActivityKey HOOK = at("hook", ",0,0");
    private static final Instant DUE = NOW.plusSeconds(60);

    private final Workbench bench = new Workbench().activity("after", task());

    @Test
    void sleepRegistersItsTimerWithTheDigit() {
        sleeping();

        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000000");
        assertThat(bench.activity(HOOK).waker()).isEqualTo(new Waker.Timer(DUE));
    }

    @Test
    void timerNeverFiresEarly() {
        sleeping();
        bench.now = DUE.minusMillis(1);

        assertThat(bench.run(Message.Respond.wake(KEY, HOOK, DUE)).entry())
                .isEqualTo(new Entry.Forbidden("the timer is due at " + DUE));
        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000000");
    }

    @Test
    void timerFiresOnce() {
        sleeping();
        bench.now = DUE;

        assertThat(bench.run(Message.Respond.wake(KEY, HOOK, DUE)).entry()).isEqualTo(new Entry.Fresh(HOOK, 1));
        assertThat(bench.run(Message.Respond.wake(KEY, HOOK, DUE)).entry()).isEqualTo(new Entry.Duplicate());
        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000001");
        assertThat(bench.queue).hasSize(1);
    }

    private void sleeping() {
        bench.activity("hook", new Request.Sleep(DUE), "after").start("hook");
        bench.runNext();
    }

    @Test
    void signalWakesTheHookThatWaitsOnItsTopic() {
        waiting();
        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000000");
        assertThat(bench.activity(HOOK).waker()).isEqualTo(new Waker.Hook("approval", false));

        Message.Signal signal = signal("approval", "s1", DONE);
        assertThat(bench.run(signal).entry()).isEqualTo(new Entry.Fresh(HOOK, 1));

        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000001");
        assertThat(bench.ledger(signal)).isEqualTo("000011000000001");
        assertThat(bench.activity(HOOK).output()).isEqualTo(text("done"));
        assertThat(bench.run(signal).entry()).isEqualTo(new Entry.Duplicate());
    }

    @Test
    void pendingSignalLeavesTheHookRegistered() {
        waiting();
        bench.run(signal("approval", "s1", MORE));

        assertThat(bench.activity(HOOK).waker()).isEqualTo(new Waker.Hook("approval", false));
        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000001");
        assertThat(bench.semaphore()).isEqualTo(2);
        assertThat(bench.run(signal("approval", "s2", DONE)).entry()).isEqualTo(new Entry.Fresh(HOOK, 2));
    }

    @Test
    void signalOnAnotherTopicIsKept() {
        waiting();
        Message.Signal other = signal("refusal", "s1", DONE);

        assertThat(bench.run(other).entry()).isEqualTo(new Entry.Keep(other));
        assertThat(bench.state.signals()).containsExactly(other);
        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000000");
    }

    @Test
    void keptSignalIsADuplicateWhenItComesAgain() {
        waiting();
        bench.run(signal("refusal", "s1", DONE));

        assertThat(bench.run(signal("refusal", "s1", DONE)).entry()).isEqualTo(new Entry.Duplicate());
        assertThat(bench.run(signal("refusal", "s2", DONE)).entry()).isInstanceOf(Entry.Keep.class);
        assertThat(bench.state.signals()).hasSize(2);
    }

    private void waiting() {
        bench.activity("hook", new Request.WebHook("approval"), "after").start("hook");
        bench.runNext();
    }

    @Test
    void signalThatCameFirstIsTakenByTheHookInItsOwnLegOne() {
        bench.activity("hook", new Request.WebHook("approval"), "after").start("hook");
        bench.run(signal("other", "s0", DONE));
        Message.Signal early = signal("approval", "s1", DONE);
        bench.run(early);
        bench.runNext();

        assertThat(bench.state.signals()).extracting(Message.Signal::topic).containsExactly("other");
        assertThat(bench.activity(HOOK).waker()).isEqualTo(new Waker.Hook("approval", true));
        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000001");
        assertThat(bench.ledger(early)).isEqualTo("000000000000001");
        assertThat(bench.queue).singleElement()
                .satisfies(delivery -> assertThat(delivery.message()).isEqualTo(early.to(HOOK)));
    }

    @Test
    void noSecondSignalIsRoutedToAHookThatHasOneOnItsWay() {
        bench.activity("hook", new Request.WebHook("approval"), "after").start("hook");
        Message.Signal early = signal("approval", "s1", DONE);
        bench.run(early);
        bench.runNext();

        Message.Signal second = signal("approval", "s2", new Response.Final(text("second")));
        assertThat(bench.run(second).entry()).isEqualTo(new Entry.Keep(second));
        assertThat(bench.run(early).entry()).isInstanceOf(Entry.Resume.class);
        assertThat(bench.activity(HOOK).output()).isEqualTo(text("done"));
        assertThat(bench.runNext().entry()).isEqualTo(new Entry.Duplicate());
    }

    @Test
    void pendingHookTakesTheNextKeptSignalWhenItOpensAgain() {
        bench.activity("hook", new Request.WebHook("approval"), "after").start("hook");
        bench.run(signal("approval", "s1", MORE));
        bench.run(signal("approval", "s2", DONE));
        bench.runNext();
        bench.runNext();

        assertThat(bench.ledger(HOOK)).isEqualTo("001100000000002");
        assertThat(bench.state.signals()).isEmpty();
        bench.drain();
        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000002");
        assertThat(bench.activity(at("hook", ",0,1")).output()).isEqualTo(text("done"));
    }

    @Test
    void hookWhoseCounterBecomesFullLeavesKeptSignalsWhereTheyAre() {
        waiting();
        Message.Signal kept = signal("approval", "kept", DONE);
        ActivityRecord almostFull = bench.activity(HOOK).with(ActivityLedger.parse("001100099999998"));
        bench.state = new Overlay(new Snapshot(bench.state.started(), new TreeMap<>(Map.of(HOOK, almostFull)), Map.of(),
                Map.of(), List.of(kept)));

        bench.run(signal("approval", "s1", MORE));

        assertThat(bench.ledger(HOOK)).isEqualTo("001100099999999");
        assertThat(bench.state.signals()).containsExactly(kept);
        assertThat(bench.run(signal("approval", "s2", DONE)).entry()).isEqualTo(new Entry.Overflow(Leg.TWO));
    }

    @Test
    void passthroughRunsTheThreeStepsInLegOne() {
        bench.activity("hook", new Request.Pass(false), "after").start("hook");
        Message enter = bench.queue.getFirst().message();
        bench.runNext();

        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000000");
        assertThat(bench.ledger(enter)).isEqualTo("000011000000000");
        assertThat(bench.activity(HOOK).output()).isEqualTo(text("for hook"));
        assertThat(bench.semaphore()).isEqualTo(1);
        assertThat(bench.queue).hasSize(1);
    }

    @Test
    void passthroughThatClosesTheWorkflowFinalizesWithItsLastStep() {
        bench.activity("hook", new Request.Pass(false)).start("hook");
        Message enter = bench.queue.getFirst().message();
        bench.runNext();

        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000000");
        assertThat(bench.ledger(enter)).isEqualTo("000111100000000");
        assertThat(GuidLedger.parse(bench.ledger(enter)).closer()).isTrue();
    }
}
