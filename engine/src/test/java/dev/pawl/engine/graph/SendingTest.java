package dev.pawl.engine.graph;

import static dev.pawl.engine.graph.Bench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.collation.Audience;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a graph sends to other workflows: starts, signals, ends. */
class SendingTest {

    private static final WorkflowKey OTHER = new WorkflowKey("test", "other-1");
    private static final Graph CHILD = Graph.named("child", "7").trigger("go").build();

    private static GraphBuilder graph() {
        return Graph.named("order", "1").trigger("begin");
    }

    @Test
    void awaitStartsItsChildAndHandsOnWhatItAnswers() {
        Bench bench = new Bench(awaiting(true)).start("in");
        Origin origin = new Origin(Bench.SELF, Bench.at("child", ",0,0"),
                Guid.ofAnswer(Bench.SELF.workflow(), Bench.at("child", ",0,0"), 1, 0), true);

        assertThat(bench.posted).containsExactly(new Message.Start(new WorkflowKey("test", "order-1.child"),
                new Message.Beginning("shop", "child", "7", "go", 0, text("for in"), origin)));
        bench.childAnswers("child", ",0,0", new Response.Final(text("done")));
        assertThat(bench.output()).isEqualTo("child@,0,0=done");
    }

    @Test
    void childThatIsNotAwaitedSaysOnlyThatItExists() {
        Bench bench = new Bench(awaiting(false)).start("in");

        assertThat(bench.posted).singleElement().satisfies(
                start -> assertThat(((Message.Start) start).beginning().origin().awaitsResult()).isFalse());
    }

    private static Graph awaiting(boolean awaitsResult) {
        Child child = Child.of(CHILD,
                data -> data.other(data.self().workflow().workflowId() + "." + data.activity().activity()));
        return graph().await("child", child, data -> text("for " + text(data.workflowInput())), awaitsResult)
                .edge("begin", "child").build();
    }

    @Test
    void signalOneSendsItsPayloadAndHandsItOn() {
        Bench bench = new Bench(graph().signalOne("tell", data -> data.parent(), "topic", data -> text("news"))
                .edge("begin", "tell").build()).startByParent("in");

        assertThat(bench.posted.getFirst()).isInstanceOfSatisfying(Message.Signal.class, signal -> {
            assertThat(signal.workflow()).isEqualTo(Bench.PARENT.workflow());
            assertThat(signal.topic()).isEqualTo("topic");
            assertThat(signal.response()).isEqualTo(new Response.Final(text("news")));
        });
        assertThat(bench.output()).isEqualTo("tell@,0,0=news");
    }

    @Test
    void signalAllReachesWhomTheEngineNames() {
        Bench bench = new Bench(graph().signalAll("tell", "topic", data -> text("news")).edge("begin", "tell").build());
        bench.targets = new Audience.Targets(List.of(new Recipient("shop", OTHER)), null);
        bench.start("in");

        assertThat(bench.posted).extracting(Message::workflow).containsExactly(OTHER);
        assertThat(bench.output()).isEqualTo("tell@,0,0=news");
    }

    @Test
    void interruptSelfEndsTheWorkflowWhateverIsOpen() {
        Bench bench = new Bench(graph().webHook("open", "topic")
                .interruptSelf("stop", data -> Ending.interrupted(text(data.input()), false))
                .edge("begin", "open").edge("begin", "stop").build()).start("enough");

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
        assertThat(bench.workflow().reason()).isEqualTo("enough");
    }

    @Test
    void interruptAnotherEndsItAndGoesOn() {
        Bench bench = interrupting("other-1");

        assertThat(bench.posted).singleElement().isInstanceOfSatisfying(Message.Interrupt.class,
                interrupt -> assertThat(interrupt.workflow()).isEqualTo(OTHER));
        assertThat(bench.output()).isEqualTo("after@,0,0,0=in");
    }

    @Test
    void interruptAnotherThatTurnsOutToBeThisOneEndsIt() {
        Bench bench = interrupting("order-1");

        assertThat(bench.posted).isEmpty();
        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
    }

    private static Bench interrupting(String target) {
        return new Bench(graph().pass("after")
                .interruptAnother("stop", data -> data.other(target), data -> Ending.interrupted("enough", true))
                .edge("begin", "stop").edge("stop", "after").build()).start("in");
    }

    @Test
    void sleepEndsBeforeAnybodyIsTooOldToSeeIt() {
        Bench bench = new Bench(graph().sleep("nap", data -> Duration.ofDays(400_000)).edge("begin", "nap").build())
                .start("in");

        assertThat(bench.workflow().reason()).contains("node 'nap'").contains("duration");
    }
}
