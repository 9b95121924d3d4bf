package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.startMessage;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The events of format 1, to the byte. Logs that exist are verified by these bytes for ever: what differs here is not mended by
 * editing the file, but is a format 2 beside it. Until format 1 is released, {@code -Dpawl.golden=write} writes them anew.
 */
class GoldenEventTest {

    private static final ActivityKey PAY = at("pay", ",0,0");
    private static final Origin ORIGIN = new Origin(other("parent"), PAY, Guid.derive("test", "answer"), false);

    private static final boolean WRITE = System.getProperty("pawl.golden", "").equals("write");

    private final Workbench bench = new Workbench()
            .activity("pay", new Request.Task("tills", text("40 euro"), NOW.plusSeconds(300)), "ship")
            .activity("ship", new Request.Task("carts", text("for ship"), NOW.plusMillis(300_001)));

    @Test
    void start() {
        golden("start", bench.start("pay", "ship"));
    }

    @Test
    void startFromOutside() {
        golden("inception", Collation.inception(startMessage(0, null), NOW.plusNanos(123_456_789)));
    }

    @Test
    void startOfAChildWhoseParentGoesOn() {
        golden("start-of-a-child", bench.start(2, ORIGIN, "pay"));
    }

    @Test
    void startThatClosesAtOnce() {
        golden("start-that-closes", bench.start());
    }

    @Test
    void taskHandedOut() {
        bench.start("pay");

        golden("task", bench.runNext());
    }

    @Test
    void taskHandedOutAgain() {
        bench.start("pay");
        bench.runNext();

        golden("reattempt", Collation.reattempt(bench.state, bench.activity(PAY), NOW.plusSeconds(600),
                NOW.plusSeconds(301)));
    }

    @Test
    void answerThatGoesOn() {
        bench.start("pay");
        bench.runNext();

        golden("answer", bench.run(bench.answer(PAY, 1, DONE)));
    }

    @Test
    void answerThatCloses() {
        bench.start("ship");
        bench.runNext();

        golden("answer-that-closes", bench.run(bench.answer(at("ship", ",0,0"), 1, DONE)));
    }

    @Test
    void secondAnswerThatIsRefused() {
        bench.start("pay", "ship");
        bench.drain();
        bench.run(bench.answer(PAY, 1, DONE));

        golden("refused", bench.run(bench.answer(PAY, 2, DONE)));
    }

    @Test
    void signalKeptThenTakenThenApplied() {
        bench.activity("hook", new Request.WebHook("a \"topic\""), "ship").start("hook");

        golden("signal-kept", bench.run(signal("a \"topic\"", "s", DONE)));
        golden("signal-taken", bench.runNext());
        golden("signal-applied", bench.runNext());
    }

    @Test
    void hookThatWaits() {
        bench.activity("hook", new Request.WebHook("approval")).start("hook");

        golden("hook", bench.runNext());
    }

    @Test
    void arrivalsAtAJoin() {
        bench.activity("join", new Request.Pass(false));
        Next join = new Next.Spawn(List.of(bench.child("join", new Next.Join(2, 1, 3))));
        bench.activity("a", Workbench.task(), response -> join).activity("b", Workbench.task(), response -> join)
                .start("a", "b");
        bench.drain();

        golden("join", bench.run(bench.answer(at("a", ",0,0"), 1, DONE)));
        golden("join-opened", bench.run(bench.answer(at("b", ",0,0"), 1, DONE)));
    }

    @Test
    void redeliveryChargedAndGivenUp() {
        bench.start("pay");
        Delivery enter = bench.queue.getFirst();

        golden("charged", Collation.redeliver(bench.state, enter, NOW).bundle());
        golden("given-up", Collation.redeliver(bench.state,
                new Delivery(enter.place(), enter.message(), Delivery.MARKS_MAX), NOW).bundle());
    }

    @Test
    void childStartedAndAnswered() {
        bench.activity("child", new Request.StartChild(other("child"), "refund", "2", "begin", text("in"), true),
                "ship")
                .start("child");

        golden("child", bench.runNext());
        Message.Start start = (Message.Start) bench.posted.getFirst().message();
        golden("child-answered",
                bench.run(Objects.requireNonNull(start.beginning().origin()).answer(DONE)));
    }

    @Test
    void timerSetAndDue() {
        bench.activity("sleep", new Request.Sleep(NOW.plusSeconds(60)), "ship").start("sleep");

        golden("timer", bench.runNext());
        bench.now = NOW.plusSeconds(61);
        golden("timer-due", bench.run(Message.Respond.wake(KEY, at("sleep", ",0,0"), NOW.plusSeconds(60))));
    }

    @Test
    void flowThatBeginsAStepThenTheNextThenSleepsAndEnds() {
        ActivityKey flow = at("flow", ",0,0");
        ActivityKey pay = Advance.operation(flow, "pay");
        ActivityKey nap = Advance.operation(flow, "sleep");

        golden("flow-start", bench.activity("flow", new Request.Code()).start("flow"));
        golden("flow-step", advance(flow, null, null, new Advance.Begin(pay, text("in"), new Request.Local("here"))));
        golden("flow-sleep", advance(flow, 1, null, new Advance.Finish(pay, 1, DONE),
                new Advance.Begin(nap, Payload.EMPTY, new Request.Sleep(NOW.plusSeconds(60)))));
        golden("flow-end", advance(flow, null, new Advance.Returned(text("out")), new Advance.Drop(nap, true)));
    }

    @Test
    void flowThatRunsAStepWithoutDeclaringIt() {
        ActivityKey flow = at("flow", ",0,0");
        bench.activity("flow", new Request.Code()).start("flow");

        golden("flow-ran",
                advance(flow, null, null, new Advance.Ran(Advance.operation(flow, "pay"), text("in"), DONE)));
    }

    private Bundle advance(ActivityKey flow, @Nullable Integer heard, Advance.@Nullable Result result,
            Advance.Change... changes) {
        Advanced advanced = Collation.advance(bench.state,
                new Advance(KEY, flow, List.of(changes), heard, null, result), bench, NOW);
        Bundle bundle = ((Advanced.Through) advanced).bundle();
        bench.commit(bundle);
        return bundle;
    }

    @Test
    void cycleAndItsRound() {
        bench.activity("pivot", new Request.Pass(true), response -> response.payload().equals(text("round"))
                ? bench.spawn("ship")
                : bench.spawn("cycle")).activity("cycle", new Request.Cycle("pivot", 2, text("round")));
        bench.start("pivot");

        golden("pass", bench.runNext());
        golden("cycle", bench.runNext());
        golden("round", bench.runNext());
    }

    @Test
    void pageOfAFanOut() {
        bench.targets = cursor -> cursor == null
                ? new Audience.Targets(List.of(other("w1"), other("w2")), "w2")
                : new Audience.Targets(List.of(other("w3")), null);
        bench.activity("signal", new Request.SignalAll("approval", text("yes"))).start("signal");

        golden("fan-out", bench.runNext());
    }

    @Test
    void interruptThatDescendsToAChildAndTellsTheParent() {
        Origin awaiting = new Origin(ORIGIN.parent(), ORIGIN.activity(), ORIGIN.answer(), true);
        bench.activity("child", new Request.StartChild(other("child"), "refund", "2", "begin", text("in"), true))
                .start(0, awaiting, "child", "pay");
        bench.drain();
        Ending ending = Ending.interrupted("a \"person\" said so", true);

        golden("interrupt", bench.run(new Message.Interrupt(KEY, Guid.derive("test", "end"), ending)));
    }

    @Test
    void messageThatLayNowhereGetsAPlace() {
        bench.start("pay");
        bench.runNext();

        golden("lodged", Collation.lodge(bench.state,
                bench.answer(PAY, 1, new Response.Failure(text("no"))), NOW));
    }

    private static void golden(String name, Transition transition) {
        golden(name, transition.bundle());
    }

    private static void golden(String name, Bundle bundle) {
        String json = Objects.requireNonNull(bundle.seal()).event().json();
        try {
            Path file = Path.of("src/test/resources/events-v1", name + ".json");
            if (WRITE) {
                Files.writeString(file, json + "\n", StandardCharsets.UTF_8);
            }
            assertThat(json + "\n").isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError("no golden file for " + json, e);
        }
    }
}
