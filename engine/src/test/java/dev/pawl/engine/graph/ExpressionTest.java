package dev.pawl.engine.graph;

import static dev.pawl.engine.graph.Bench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.PawlException;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A function that fails is an answer too: the workflow fails, and says which function it was. */
class ExpressionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Child NOWHERE = new Child(new Broken<>(), "child", "1", "go");

    private record Broken<T>() implements Function<Data, T> {

        @Override
        public T apply(Data data) {
            throw new IllegalStateException("broken");
        }
    }

    /** Draws a node named "it" after the hook, which takes the signal that lets the test go on. */
    static Stream<Arguments> failures() {
        Function<Data, Ending> ending = data -> Ending.interrupted("enough", false);
        return Stream.of(
                failure("input", g -> g.pass("it").input("it", new Broken<>())),
                failure("input", g -> g.pass("it").input("it", data -> null)),
                failure("input", g -> g.await("it", NOWHERE, new Broken<>(), true)),
                failure("child's id", g -> g.await("it", NOWHERE, Data::input, true)),
                failure("duration", g -> g.sleep("it", new Broken<>())),
                failure("target", g -> g.signalOne("it", new Broken<>(), "topic", Data::workflowInput)),
                failure("target", g -> g.signalOne("it", Data::parent, "topic", Data::workflowInput)),
                failure("input", g -> g.signalAll("it", "topic", new Broken<>())),
                failure("ending", g -> g.interruptSelf("it", new Broken<>())),
                failure("target", g -> g.interruptAnother("it", new Broken<>(), ending)),
                failure("ending", g -> g.interruptAnother("it", data -> data.other("a"), new Broken<>())),
                failure("input", g -> g.cycle("it", "hub", new Broken<>())));
    }

    private static Arguments failure(String kind, UnaryOperator<GraphBuilder> node) {
        return Arguments.of(kind, node);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void functionOfANodeFailsTheWorkflowBeforeTheNodeExists(String kind, UnaryOperator<GraphBuilder> node) {
        Graph graph = node.apply(Graph.named("order", "1").trigger("begin").pivot("hub").webHook("hook", "go"))
                .edge("begin", "hub").edge("hub", "hook").edge("hook", "it").build();
        Bench bench = new Bench(graph);
        bench.cut = true;
        bench.start("in").signal("go", "1", new Response.Final(text("go")));

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.workflow().reason()).contains("the " + kind + " of node 'it'");
        assertThat(bench.output()).isEqualTo("\"ExpressionFailed\"");
        assertThat(bench.keys()).noneMatch(key -> key.startsWith("it"));
    }

    @Test
    void conditionThatFailsNamesItsEdge() {
        Bench bench = new Bench(Graph.named("order", "1").trigger("begin").pass("a").pass("b").edge("begin", "a")
                .edge("a", "b", data -> Integer.parseInt(text(data.output())) > 0).build()).start("x");

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.workflow().reason()).contains("condition of edge 'a -if-> b'").contains("node 'a'");
    }

    @Test
    void activityBesideAnotherCannotSeeIt() {
        Bench bench = new Bench(Graph.named("order", "1").trigger("begin").pass("a").pass("b")
                .edge("begin", "a").edge("begin", "b").input("b", data -> data.output("a")).build()).start("in");

        assertThat(bench.workflow().reason()).contains("input of node 'b'").contains("'a' does not come before");
    }

    @Test
    void joinIsLookedAtOnlyByTheLastArrival() {
        Bench bench = new Bench(Graph.named("order", "1").trigger("begin").worker("a", "q", MINUTE)
                .worker("b", "q", MINUTE).pass("join")
                .edge("begin", "a").edge("begin", "b").edge("a", "join").edge("b", "join")
                .input("join", data -> text("" + (6 / data.output("b").size()))).build()).start("in");
        bench.answer("a", ",0,0", "a");
        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.RUNNING);
        bench.answer("b", ",0,0", "bb");

        assertThat(bench.output()).isEqualTo("join@,0,0,0=3");
    }

    @Test
    void resultThatFailsFailsTheWorkflow() {
        Graph graph = Graph.named("order", "1").trigger("begin").worker("a", "q", MINUTE).worker("b", "q", MINUTE)
                .edge("begin", "a").edge("begin", "b").result(data -> data.output("nowhere")).build();
        Bench bench = new Bench(graph);
        bench.cut = true;
        bench.start("in").answer("a", ",0,0", "1");
        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.RUNNING);
        bench.answer("b", ",0,0", "2");

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.workflow().reason()).contains("the result of graph 'order'").contains("'nowhere'");
    }

    @Test
    void resultOfAWorkflowThatEndsOtherwiseIsNotAskedFor() {
        Graph graph = Graph.named("order", "1").trigger("begin").pass("a")
                .interruptSelf("stop", data -> Ending.interrupted("enough", false))
                .edge("begin", "a").edge("a", "stop").result(new Broken<>()).build();

        assertThat(new Bench(graph).start("in").workflow().status()).isEqualTo(WorkflowStatus.INTERRUPTED);
    }

    /** There is no sound answer to that; the engine must show the definition as broken. */
    @Test
    void functionThatFailsOnlyTheSecondTimeIsABrokenDefinition() {
        AtomicBoolean asked = new AtomicBoolean();
        Bench bench = new Bench(Graph.named("order", "1").trigger("begin")
                .sleep("nap", data -> asked.getAndSet(true) ? Duration.ofDays(400_000) : MINUTE)
                .edge("begin", "nap").build());

        assertThatThrownBy(() -> bench.start("in")).isInstanceOfSatisfying(PawlException.class,
                fault -> assertThat(fault.code()).isEqualTo("ExpressionFailed"));
    }
}
