package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.MORE;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.lifecycle.ActivityEvent;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rule C, exhaustively: a transition cut after any of its steps, and run again on what was committed, does exactly the rest
 * and nothing twice. One case for every kind of message, going on and closing.
 */
class ResumeTest {

    /** A workflow brought to the point where one message is to be run. */
    record Case(String name, Workbench bench, Delivery delivery) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        Ending ending = Ending.interrupted("stop", true);
        return Stream.of(
                start("start that goes on", "next"),
                start("start that closes"),
                legOne("worker", task()),
                legOne("await", new Request.StartChild(other("c"), "d", "1", "t", text("in"), true)),
                legOne("sleep", new Request.Sleep(NOW)),
                legOne("web hook", new Request.WebHook("topic")),
                legOne("web hook with a kept signal", new Request.WebHook("topic"),
                        bench -> bench.run(signal("topic", "early", DONE))),
                legOne("passthrough that goes on", new Request.Pass(false), "next"),
                legOne("passthrough that closes", new Request.Pass(false)),
                legOne("pivot that goes on", new Request.Pass(true), "next"),
                legOne("pivot that closes", new Request.Pass(true)),
                legOne("signal one", new Request.SignalOne(other("w"), "topic", text("x")), "next"),
                legOne("signal one that closes", new Request.SignalOne(other("w"), "topic", text("x"))),
                legOne("signal that awaits a receipt",
                        new Request.SignalAwaitingReceipt(other("w"), "topic", text("x"))),
                legOne("signal all", new Request.SignalAll("topic", text("x")), "next"),
                legOne("interrupt another", new Request.InterruptAnother(other("w"), ending), "next"),
                legOne("interrupt self", new Request.InterruptSelf(ending)),
                cycle(),
                reentry(),
                response("answer that goes on", DONE, "next"),
                response("answer that closes", DONE),
                response("pending answer", MORE, "next"),
                signalled("signal that goes on", DONE, "next"),
                signalled("pending signal with another kept", MORE, "next"),
                interrupt(ending));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void transitionCutAfterAnyStepDoesTheRestAndNothingTwice(Case given) {
        Bundle whole = transition(given, given.bench().state).bundle();

        for (int cut = 1; cut <= whole.parts().size(); cut++) {
            Overlay crashed = new Overlay(given.bench().state);
            whole.apart().subList(0, cut).forEach(crashed::apply);
            Bundle rest = transition(given, crashed).bundle();
            List<Bundle.Part> expected = cut == whole.parts().size()
                    ? List.of(whole.parts().getLast())
                    : whole.parts().subList(cut, whole.parts().size());
            assertThat(rest.parts()).as("after %d of %d steps", cut, whole.parts().size()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void commitForEveryStepComesToTheSameEndAsOneCommit(Case given) {
        Bundle whole = transition(given, given.bench().state).bundle();
        Overlay together = new Overlay(given.bench().state).apply(whole);
        Overlay apart = new Overlay(given.bench().state);
        whole.apart().forEach(apart::apply);

        assertThat(List.copyOf(apart.activities())).isEqualTo(List.copyOf(together.activities()));
        assertThat(apart.guid(given.delivery().message().guid()))
                .isEqualTo(together.guid(given.delivery().message().guid()));
        assertThat(apart.started().gate()).isEqualTo(together.started().gate());
        assertThat(apart.started().status()).isEqualTo(together.started().status());
        assertThat(apart.started().version()).isEqualTo(startVersion(given) + whole.parts().size());
        assertThat(together.started().version()).isEqualTo(startVersion(given) + 1);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyChangeOfAnActivityIsInTheLifecycleTable(Case given) {
        Overlay before = new Overlay(given.bench().state);
        Overlay after = new Overlay(before).apply(transition(given, before).bundle());

        for (ActivityRecord activity : after.activities()) {
            ActivityRecord was = before.activity(activity.key());
            if (was != null && was.status() != activity.status()) {
                assertThat(Arrays.stream(ActivityEvent.values())
                        .filter(event -> ActivityStatus.LIFECYCLE.allows(was.status(), event))
                        .map(event -> ActivityStatus.LIFECYCLE.after(was.status(), event)))
                        .contains(activity.status());
            }
        }
    }

    private static long startVersion(Case given) {
        WorkflowRecord started = given.bench().state.workflow();
        return started == null ? 0 : started.version();
    }

    private static Transition transition(Case given, Overlay state) {
        return Collation.transition(state, given.delivery(), given.bench(), given.bench(), NOW);
    }

    private static Workbench bench() {
        return new Workbench().activity("next", task());
    }

    private static Case start(String name, String... children) {
        Workbench bench = bench().activity("trigger", task(), children);
        return new Case(name, bench, Delivery.queued(99, Workbench.startMessage(0, null)));
    }

    private static Case legOne(String name, Request request, String... children) {
        return legOne(name, request, bench -> {}, children);
    }

    private static Case legOne(String name, Request request, Consumer<Workbench> before, String... children) {
        Workbench bench = bench().activity("it", request, children);
        bench.start("it");
        before.accept(bench);
        return new Case(name, bench, bench.queue.getFirst());
    }

    private static Case cycle() {
        Workbench bench = bench().activity("pivot", new Request.Pass(true), "it")
                .activity("it", new Request.Cycle("pivot", 2, text("again")));
        bench.start("pivot");
        bench.runNext();
        return new Case("cycle", bench, bench.queue.getFirst());
    }

    private static Case reentry() {
        Workbench bench = cycle().bench();
        bench.runNext();
        return new Case("re-entry of a pivot", bench, bench.queue.getFirst());
    }

    private static Case response(String name, Response response, String... children) {
        Workbench bench = bench().activity("it", task(), children);
        bench.start("it");
        bench.runNext();
        Message answer = response.last()
                ? bench.answer(at("it", ",0,0"), 1, response)
                : Message.Respond.pending(KEY, at("it", ",0,0"), 1, 1, response.payload());
        return new Case(name, bench, Delivery.queued(99, answer));
    }

    private static Case signalled(String name, Response response, String... children) {
        Workbench bench = bench().activity("it", new Request.WebHook("topic"), children);
        bench.start("it");
        bench.run(signal("topic", "first", MORE));
        bench.run(signal("topic", "second", DONE));
        bench.runNext();
        Message first = signal("topic", "first", response);
        return new Case(name, bench, Delivery.queued(99, first));
    }

    private static Case interrupt(Ending ending) {
        Workbench bench = bench().activity("it",
                new Request.StartChild(other("c"), "d", "1", "t", text("in"), true));
        bench.start("it", "next");
        bench.drain();
        return new Case("interrupt", bench,
                Delivery.queued(99, new Message.Interrupt(KEY, Guid.derive("test", "i"), ending)));
    }
}
