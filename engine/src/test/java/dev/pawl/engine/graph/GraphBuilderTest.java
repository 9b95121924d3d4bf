package dev.pawl.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.kernel.message.Ending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A graph that cannot be run is refused before anything runs, with everything that is wrong with it. */
class GraphBuilderTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static GraphBuilder graph() {
        return Graph.named("order", "1").trigger("begin");
    }

    private static List<String> problems(GraphBuilder graph) {
        InvalidGraph invalid = catchThrowableOfType(InvalidGraph.class, graph::build);
        assertThat(invalid).isNotNull();
        return invalid.problems();
    }

    @Test
    void soundGraphShowsItsShape() {
        Graph graph = graph().pass("a").pass("b").pass("c").pass("join").edge("begin", "a").edge("begin", "b")
                .edge("b", "c").edge("a", "join").edge("c", "join", data -> true).build();

        assertThat(graph.trigger()).isEqualTo("begin");
        assertThat(List.of(graph.depth("begin"), graph.depth("a"), graph.depth("c"), graph.depth("join")))
                .containsExactly(1, 2, 3, 4);
        assertThat(graph.leads("begin", "join")).isTrue();
        assertThat(graph.leads("a", "c")).isFalse();
        assertThat(graph.from("b")).extracting(Edge::to).containsExactly("c");
        assertThat(graph.into("join")).hasSize(2);
        assertThat(graph).hasToString("graph order 1 [begin, a, b, c, join] "
                + "[begin -> a, begin -> b, b -> c, a -> join, c -if-> join]");
    }

    @Test
    void nodesMayBeDrawnInAnyOrder() {
        Graph graph = Graph.named("order", "1").edge("b", "c").edge("begin", "b").pass("c").pass("b").trigger("begin")
                .build();

        assertThat(graph.depth("c")).isEqualTo(3);
    }

    @Test
    void allProblemsAreToldAtOnce() {
        GraphBuilder graph = graph().pass("a").pass("a").pass("alone").edge("begin", "a").edge("a", "nowhere");

        assertThat(problems(graph)).containsExactly(
                "node 'a' is drawn more than once",
                "edge 'a -> nowhere' names 'nowhere', which is not drawn",
                "no path leads to 'alone'");
        assertThatThrownBy(graph::build).hasMessageStartingWith("graph 'order' cannot be run:\n- node 'a'");
    }

    @Test
    void invalidNames() {
        assertThat(problems(Graph.named("my order", "").trigger("begin").worker("a b", "", MINUTE)
                .webHook("hook", "a/b").edge("begin", "a b").edge("begin", "hook")))
                .hasSize(5)
                .anyMatch(problem -> problem.startsWith("the name of the graph"))
                .anyMatch(problem -> problem.startsWith("the version of the graph"))
                .anyMatch(problem -> problem.startsWith("the name of node 'a b'"))
                .anyMatch(problem -> problem.startsWith("the queue of node 'a b'"))
                .anyMatch(problem -> problem.startsWith("the topic of node 'hook'"));
    }

    @Test
    void invalidNamesOfWhatIsSentTo() {
        Child child = new Child(Data::self, "", "", "");
        assertThat(problems(graph().await("a", child, Data::input, true)
                .signalOne("b", Data::self, "", Data::input).signalAll("c", "", Data::input)
                .edge("begin", "a").edge("begin", "b").edge("begin", "c"))).hasSize(5);
    }

    @Test
    void timeoutThatIsNone() {
        assertThat(problems(graph().worker("a", "q", Duration.ZERO).worker("b", "q", Duration.ofDays(1_000_000))
                .edge("begin", "a").edge("begin", "b")))
                .hasSize(2).allMatch(problem -> problem.contains("needs a timeout"));
    }

    @Test
    void noTriggerOrTwo() {
        assertThat(problems(Graph.named("order", "1")))
                .containsExactly("a graph has one trigger, not none");
        assertThat(problems(graph().trigger("other")))
                .containsExactly("a graph has one trigger, not all of [begin, other]");
    }

    @Test
    void edgesToWhereNothingCanCome() {
        assertThat(problems(graph().pivot("a").cycle("c", "a", Data::input)
                .interruptSelf("stop", data -> Ending.interrupted("", false)).pass("b").pass("d")
                .edge("begin", "a").edge("a", "c").edge("c", "b").edge("a", "stop").edge("stop", "d")))
                .containsExactly("edge 'c -> b' leaves 'c', after which nothing can come",
                        "edge 'stop -> d' leaves 'stop', after which nothing can come");
        assertThat(problems(graph().pass("a").edge("begin", "a").edge("a", "begin")))
                .contains("edge 'a -> begin' leads back into the trigger 'begin'");
    }

    @Test
    void loopWithoutACycleNode() {
        assertThat(problems(graph().pass("a").pass("b").pass("c").edge("begin", "a").edge("a", "b").edge("b", "a")
                .edge("b", "c")))
                .filteredOn(problem -> problem.contains("loop"))
                .containsExactly("'a' is on a loop of edges; only a cycle node may go back",
                        "'b' is on a loop of edges; only a cycle node may go back");
    }

    @Test
    void cycleToWhatIsNotAPivotBeforeIt() {
        assertThat(problems(graph().pass("a").cycle("c", "a", Data::input).edge("begin", "a").edge("a", "c")))
                .containsExactly("cycle 'c' goes back to 'a', which is not a pivot on every way to it");
        assertThat(problems(graph().pivot("a").cycle("c", "a", Data::input).edge("begin", "a").edge("begin", "c")))
                .containsExactly("cycle 'c' goes back to 'a', which is not a pivot on every way to it");
        assertThat(problems(graph().cycle("c", "a", Data::input).edge("begin", "c")))
                .containsExactly("cycle 'c' names 'a', which is not drawn");
    }

    @Test
    void inputsThatCannotBeGiven() {
        assertThat(problems(graph().input("begin", Data::input).input("a", Data::input)))
                .containsExactly("trigger 'begin' is given the workflow's input; a mapping cannot change that",
                        "an input mapping names 'a', which is not drawn");
    }

    @Test
    void errorEdgeFromWhatCannotFail() {
        assertThat(problems(graph().pass("a").pass("b").edge("begin", "a").onFailure("a", "b")))
                .containsExactly("edge 'a -failed-> b' waits for a failure, but 'a' cannot fail");
    }

    @Test
    void edgeTwice() {
        assertThat(problems(graph().pass("a").edge("begin", "a").edge("begin", "a", data -> true)))
                .containsExactly("edge 'begin' to 'a' is drawn more than once");
    }

    @Test
    void joinOfAFailureAndItsAbsence() {
        assertThat(problems(graph().worker("a", "q", MINUTE).pass("fine").pass("mend").pass("join")
                .edge("begin", "a").edge("a", "fine").onFailure("a", "mend").edge("fine", "join").edge("mend", "join")))
                .containsExactly("join 'join' never opens: one branch needs 'a' to fail, another needs it not to");
    }

    @Test
    void cycleToAPivotThatOneBranchGoesAround() {
        assertThat(problems(graph().pivot("p").pass("b").pass("join").cycle("again", "p", Data::input)
                .edge("begin", "p").edge("begin", "b").edge("p", "join").edge("b", "join").edge("join", "again")))
                .containsExactly("cycle 'again' goes back to 'p', which is not a pivot on every way to it");
    }

    @Test
    void joinThatEveryRoundComesTo() {
        assertThat(problems(rounds().edge("work", "out")))
                .containsExactly("join 'join' is reached in every round of 'p'; edge 'work -> out' needs a condition");
        assertThat(rounds().edge("work", "out", data -> true).build()).isNotNull();
    }

    private static GraphBuilder rounds() {
        return graph().pivot("p").worker("work", "q", MINUTE).cycle("again", "p", Data::input).pass("out").pass("b")
                .pass("join").edge("begin", "p").edge("p", "work").edge("work", "again", data -> false)
                .edge("begin", "b").edge("out", "join").edge("b", "join");
    }

    @Test
    void branchThatCyclesOnFailureMayGoOnToAJoin() {
        assertThat(graph().pivot("p").worker("work", "q", MINUTE).cycle("again", "p", Data::input).pass("b")
                .pass("join").edge("begin", "p").edge("p", "work").onFailure("work", "again").edge("work", "join")
                .edge("begin", "b").edge("b", "join").build()).isNotNull();
    }

    @Test
    void unknownNodeIsNotLookedAt() {
        Graph graph = graph().build();

        assertThatThrownBy(() -> graph.node("nowhere")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> graph.depth("nowhere")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
    }
}
