package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.called;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.path;
import static dev.pawl.testkit.scenario.Parts.rounds;
import static dev.pawl.testkit.scenario.Parts.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The oracle itself, against what can be read in collation.md 20 and 21. */
class OracleTest {

    private static Outcome outcome(Graph graph) {
        return Oracle.outcome(Scenario.named("test").start("w", graph, "in").build());
    }

    private static Stream<String> keys(Outcome outcome) {
        return outcome.activities().stream().map(activity -> activity.key().toString());
    }

    @Test
    void childrenRunOneLevelDownAndAnswersAreHandedOn() {
        Outcome outcome = outcome(path(workers(graph("g"), "a", "b"), BEGIN, "a", "b").build());

        assertThat(keys(outcome)).containsExactly("begin@,0", "a@,0,0", "b@,0,0,0");
        assertThat(outcome.workflows()).containsExactly(
                new Outcome.Workflow("w", WorkflowStatus.COMPLETED, "b@,0,0,0=b@,0,0,0(a@,0,0(in))"));
        assertThat(outcome.activities()).extracting(Outcome.Activity::status)
                .containsExactly(ActivityStatus.PASSED, ActivityStatus.FINISHED, ActivityStatus.FINISHED);
    }

    @Test
    void eachRoundRunsInAPlaneOfItsOwn() {
        GraphBuilder graph = workers(graph("g"), "work", "out");
        Outcome outcome =
                outcome(rounds(path(graph, BEGIN, "p", "work"), "p", "work", "out", 3).build());

        assertThat(keys(outcome)).containsExactly("begin@,0", "p@,0,0", "work@,0,0,0", "p-again@,0,0,0,0", "p@,0,1",
                "work@,0,1,0", "p-again@,0,1,0,0", "p@,0,2", "work@,0,2,0", "out@,0,2,0,0");
    }

    @Test
    void branchesMeetBelowTheirForkAtTheDepthOfTheLongest() {
        GraphBuilder graph = path(workers(graph("g"), "a", "b", "c", "join"), BEGIN, "a", "join");
        Outcome outcome = outcome(path(graph, BEGIN, "b", "c", "join").build());

        assertThat(keys(outcome)).containsExactly("begin@,0", "a@,0,0", "b@,0,0", "c@,0,0,0", "join@,0,0,0,0");
    }

    @Test
    void joinThatWaitsInVainIsAFailure() {
        GraphBuilder graph = path(workers(graph("g"), "a", "b", "join"), BEGIN, "a", "join");
        Outcome outcome = outcome(path(graph, BEGIN, "b").edge("b", "join", data -> false).build());

        assertThat(outcome.workflows()).containsExactly(new Outcome.Workflow("w", WorkflowStatus.FAILED, ""));
    }

    @Test
    void parentAndChildHearOfEachOtherOnce() {
        Graph child = path(workers(graph("child"), "a"), BEGIN, "a").build();
        Graph graph = graph("g").await("c", called(child, "c1"), Data::workflowInput, true).edge(BEGIN, "c").build();
        Outcome outcome = Oracle.outcome(Scenario.named("test").knows(child).start("w", graph, "in").build());

        assertThat(outcome.effects()).containsExactly(
                new Effect("w", "c1", Effect.Kind.START, "child(in)"),
                new Effect("c1", "w", Effect.Kind.ANSWER, "c@,0,0 done: a@,0,0=a@,0,0(in)"));
    }

    @Test
    void signalThatCameEarlyIsTakenOnceOnly() {
        Graph graph = path(workers(graph("g"), "a").webHook("h1", "topic").webHook("h2", "topic"),
                BEGIN, "a", "h1", "h2").build();
        Outcome outcome = Oracle.outcome(Scenario.named("test").start("w", graph, "in")
                .signal("w", "topic", "1", "news").signal("w", "topic", "1", "news").build());

        assertThat(outcome.activities()).extracting(Outcome.Activity::status).containsExactly(ActivityStatus.PASSED,
                ActivityStatus.FINISHED, ActivityStatus.FINISHED, ActivityStatus.WAITING);
        assertThat(outcome.workflows()).extracting(Outcome.Workflow::status).containsExactly(WorkflowStatus.RUNNING);
    }
}
