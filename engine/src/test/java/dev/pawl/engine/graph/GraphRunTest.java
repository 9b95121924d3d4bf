package dev.pawl.engine.graph;

import static dev.pawl.engine.graph.Bench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Waker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A graph in the hands of the kernel: who runs, where, and with what. */
class GraphRunTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static GraphBuilder graph() {
        return Graph.named("order", "1").trigger("begin");
    }

    @Test
    void workflowWithoutChildrenEndsAtOnce() {
        Bench bench = new Bench(graph().build()).start("in");

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(bench.output()).isEmpty();
    }

    @Test
    void inputIsTheOutputOfTheOneBefore() {
        Bench bench = new Bench(graph().worker("a", "q", MINUTE).pass("b").worker("c", "q", MINUTE)
                .edge("begin", "a").edge("a", "b").edge("b", "c").build()).start("in");
        assertThat(bench.activity("a", ",0,0").input()).isEqualTo(text("in"));
        bench.answer("a", ",0,0", "one");
        assertThat(bench.activity("c", ",0,0,0,0").input()).isEqualTo(text("one"));
        bench.answer("c", ",0,0,0,0", "two");

        assertThat(bench.output()).isEqualTo("c@,0,0,0,0=two");
    }

    @Test
    void taskGoesToItsQueueWithItsInputAndItsDeadline() {
        Bench bench = new Bench(graph().worker("a", "q", MINUTE).input("a", data -> text("mapped"))
                .edge("begin", "a").build()).start("in");

        assertThat(bench.activity("a", ",0,0").waker())
                .isEqualTo(new Waker.Task("q", text("mapped"), 1, Bench.START.plus(MINUTE)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void branchesOfUnequalLengthMeetAndTheJoinSeesAllOfThem(boolean shortBranchFirst) {
        Graph graph = graph().worker("a", "q", MINUTE).worker("b", "q", MINUTE).worker("c", "q", MINUTE)
                .worker("join", "q", MINUTE)
                .edge("begin", "a").edge("begin", "b").edge("b", "c").edge("a", "join").edge("c", "join")
                .input("join", data -> text(text(data.output("a")) + "+" + text(data.output("c")))).build();
        Bench bench = new Bench(graph).start("in");
        if (shortBranchFirst) {
            bench.answer("a", ",0,0", "1");
        }
        bench.answer("b", ",0,0", "2").answer("c", ",0,0,0", "3");
        if (!shortBranchFirst) {
            bench.answer("a", ",0,0", "1");
        }

        assertThat(bench.activity("join", ",0,0,0,0").input()).isEqualTo(text("1+3"));
        bench.answer("join", ",0,0,0,0", "4");
        assertThat(bench.output()).isEqualTo("join@,0,0,0,0=4");
    }

    @Test
    void joinIsGivenTheWorkflowsInputUnlessToldOtherwise() {
        Bench bench = new Bench(graph().pass("a").pass("b").pass("join").edge("begin", "a").edge("begin", "b")
                .edge("a", "join").edge("b", "join").build()).start("in");

        assertThat(bench.output()).isEqualTo("join@,0,0,0=in");
    }

    @Test
    void onlyEdgesWhoseConditionHoldsAreTaken() {
        Bench bench = new Bench(graph().worker("a", "q", MINUTE).pass("yes").pass("no").pass("always")
                .edge("begin", "a").edge("a", "always")
                .edge("a", "yes", data -> text(data.output()).equals("go"))
                .edge("a", "no", data -> !text(data.output()).equals("go")).build()).start("in")
                .answer("a", ",0,0", "go");

        assertThat(bench.output()).isEqualTo("always@,0,0,0=go\nyes@,0,0,0=go");
    }

    @Test
    void joinWithABranchThatIsNotTakenDoesNotRunAndTheWorkflowFails() {
        Bench bench = new Bench(graph().pass("a").pass("b").pass("join").edge("begin", "a").edge("begin", "b")
                .edge("a", "join").edge("b", "join", data -> false).result(data -> data.output("nowhere")).build())
                .start("in");

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.workflow().reason()).contains("join@,0,0,0");
        assertThat(bench.keys()).containsExactly("begin@,0", "a@,0,0", "b@,0,0");
    }

    @Test
    void joinSeesTheLastRoundOfABranchThatCycles() {
        Graph graph = graph().pivot("pivot").input("pivot", data -> text("0")).worker("work", "q", MINUTE).pass("b")
                .cycle("again", "pivot", data -> text(String.valueOf(round(data) + 1)))
                .worker("join", "q", MINUTE).pass("after")
                .edge("begin", "b").edge("b", "join").edge("begin", "pivot").edge("pivot", "work")
                .edge("work", "again", data -> round(data) < 2).edge("work", "join", data -> round(data) == 2)
                .edge("join", "after")
                .input("join", data -> data.output("work"))
                .input("after", data -> text(text(data.output("work")) + " in round " + round(data))).build();
        Bench bench = new Bench(graph).start("in");
        for (int round = 0; round < 3; round++) {
            bench.answer("work", ",0," + round + ",0", "w" + round);
        }
        assertThat(bench.activity("join", ",0,0,0,0").input()).isEqualTo(text("w2"));
        bench.answer("join", ",0,0,0,0", "done");

        assertThat(bench.output()).isEqualTo("after@,0,0,0,0,0=w2 in round 2");
    }

    @Test
    void branchThatComesToAnOpenJoinAgainFailsTheWorkflow() {
        Graph graph =
                graph().pivot("pivot").input("pivot", data -> text("0")).pass("b").pass("join").webHook("hook", "t")
                        .cycle("again", "pivot", data -> text("1"))
                        .edge("begin", "b").edge("b", "join").edge("join", "hook").edge("begin", "pivot")
                        .edge("pivot", "again", data -> round(data) == 0).edge("pivot", "join", data -> true).build();
        Bench bench = new Bench(graph);
        bench.cut = true;
        bench.start("in");

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.workflow().reason()).contains("'pivot -if-> join'").contains("join@,0,0,0 again");
    }

    @Test
    void eachRoundOfACycleSeesItsOwnPlane() {
        Bench bench = new Bench(rounds(3)).start("in");
        for (int round = 0; round < 3; round++) {
            bench.answer("work", ",0," + round + ",0", "w" + round);
        }

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(bench.output()).isEqualTo("after@,0,2,0,0=w2 in round 2");
        assertThat(bench.keys()).containsExactly("begin@,0", "pivot@,0,0", "work@,0,0,0", "again@,0,0,0,0",
                "pivot@,0,1", "work@,0,1,0", "again@,0,1,0,0", "pivot@,0,2", "work@,0,2,0", "after@,0,2,0,0");
    }

    private static Graph rounds(int count) {
        return graph().pivot("pivot").worker("work", "q", MINUTE).pass("after")
                .cycle("again", "pivot", data -> text(String.valueOf(round(data) + 1)))
                .input("pivot", data -> text("0"))
                .input("after", data -> text(text(data.output("work")) + " in round " + round(data)))
                .edge("begin", "pivot").edge("pivot", "work")
                .edge("work", "again", data -> round(data) < count - 1)
                .edge("work", "after", data -> round(data) == count - 1).build();
    }

    private static int round(Data data) {
        return Integer.parseInt(text(data.output("pivot")));
    }

    @Test
    void sleepWaitsAndHandsItsInputOn() {
        Bench bench = new Bench(graph().sleep("nap", MINUTE).pass("after").edge("begin", "nap").edge("nap", "after")
                .build()).start("in");
        assertThat(bench.activity("nap", ",0,0").waker()).isEqualTo(new Waker.Timer(Bench.START.plus(MINUTE)));
        bench.wake("nap", ",0,0");

        assertThat(bench.output()).isEqualTo("after@,0,0,0=in");
    }

    @Test
    void sleepOfNoLengthIsNoWait() {
        Bench bench = new Bench(graph().sleep("nap", data -> Duration.ofMillis(text(data.input()).length() - 2))
                .edge("begin", "nap").build()).start("in");

        assertThat(bench.output()).isEqualTo("nap@,0,0=in");
    }

    @Test
    void hookTakesASignalBeforeAndAfter() {
        Graph graph = graph().webHook("one", "topic").webHook("two", "topic").edge("begin", "one").edge("one", "two")
                .build();
        Bench bench = new Bench(graph).start("in")
                .signal("topic", "1", new Response.Final(text("s1")))
                .signal("topic", "2", new Response.Final(text("s2")));

        assertThat(bench.activity("one", ",0,0").output()).isEqualTo(text("s1"));
        assertThat(bench.output()).isEqualTo("two@,0,0,0=s2");
    }

    @Test
    void pendingResponseGoesOnInAPlaneAndTheActivityStaysOpen() {
        Bench bench = new Bench(graph().webHook("hook", "topic").pass("after").edge("begin", "hook")
                .edge("hook", "after").build()).start("in")
                .signal("topic", "1", new Response.Pending(text("more")));
        assertThat(bench.activity("hook", ",0,0").status()).isEqualTo(ActivityStatus.WAITING);
        bench.signal("topic", "2", new Response.Final(text("end")));

        assertThat(bench.output()).isEqualTo("after@,0,0,0=more\nafter@,0,1,0=end");
    }

    @Test
    void pendingResponseDoesNotComeToAJoin() {
        Bench bench = new Bench(graph().webHook("hook", "topic").pass("on").pass("aside").pass("b").pass("join")
                .edge("begin", "hook").edge("hook", "on").edge("hook", "aside").edge("on", "join").edge("begin", "b")
                .edge("b", "join").input("join", data -> data.output("hook")).build()).start("in")
                .signal("topic", "1", new Response.Pending(text("more")))
                .signal("topic", "2", new Response.Final(text("end")));

        assertThat(bench.output()).isEqualTo("aside@,0,0,0=more\njoin@,0,0,0,0=end\naside@,0,1,0=end");
    }

    @Test
    void failureEndsTheWorkflow() {
        Bench bench = new Bench(graph().worker("a", "q", MINUTE).webHook("open", "topic").edge("begin", "a")
                .edge("begin", "open").build()).start("in")
                .respond("a", ",0,0", new Response.Failure(text("no")));

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(bench.workflow().reason()).isEqualTo("a@,0,0 failed");
        assertThat(bench.output()).isEqualTo("no");
    }

    @Test
    void errorEdgeIsTakenInsteadOfTheOthers() {
        Bench bench = new Bench(graph().worker("a", "q", MINUTE).pass("fine").pass("mend").edge("begin", "a")
                .edge("a", "fine").onFailure("a", "mend").build()).start("in")
                .respond("a", ",0,0", new Response.Failure(text("no")));

        assertThat(bench.workflow().status()).isEqualTo(WorkflowStatus.COMPLETED);
        assertThat(bench.output()).isEqualTo("mend@,0,0,0=no");
    }

    @Test
    void errorEdgeIsNotTakenWithoutAFailure() {
        Bench bench = new Bench(graph().worker("a", "q", MINUTE).pass("fine").pass("mend").edge("begin", "a")
                .edge("a", "fine").onFailure("a", "mend").build()).start("in").answer("a", ",0,0", "yes");

        assertThat(bench.output()).isEqualTo("fine@,0,0,0=yes");
    }

    @Test
    void resultIsMadeFromTheLatestAnswerOfEachName() {
        Graph graph = graph().pivot("pivot").pass("seldom")
                .cycle("again", "pivot", data -> text(text(data.output("pivot")) + "i"))
                .edge("begin", "pivot").edge("pivot", "seldom", data -> false)
                .edge("pivot", "again", data -> data.output().size() < 5)
                .result(data -> text(text(data.input()) + " " + text(data.output("pivot")) + " "
                        + data.output("seldom").size()))
                .build();

        assertThat(new Bench(graph).start("i").output()).isEqualTo("i iiiii 0");
    }

    @Test
    void everyStepCanBeAskedForAgain() {
        Bench bench = new Bench(rounds(3));
        bench.cut = true;
        bench.start("in");
        for (int round = 0; round < 3; round++) {
            bench.answer("work", ",0," + round + ",0", "w" + round);
        }

        assertThat(bench.output()).isEqualTo("after@,0,2,0,0=w2 in round 2");
    }
}
