package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Waker;
import org.junit.jupiter.api.Test;

/** Collation.md 20.3: a child workflow, awaited or not. */
class AwaitTest {

    private static final ActivityKey AWAIT = at("child", ",0,0");
    private static final Recipient CHILD = other("order-1-child");

    private final Workbench bench = new Workbench();

    @Test
    void legOneStartsTheChildInTheCommitOfItsDigit() {
        asking(true);

        assertThat(bench.ledger(AWAIT)).isEqualTo("001100000000000");
        assertThat(bench.activity(AWAIT).waker()).isEqualTo(new Waker.Child(CHILD));
        assertThat(bench.posted).singleElement().satisfies(post -> {
            assertThat(post.group()).isEqualTo("shop");
            assertThat(post.message()).isEqualTo(new Message.Start(CHILD.workflow(), new Message.Beginning("shop",
                    "delivery", "3", "begin", 0, text("parcel"), origin(true))));
        });
    }

    @Test
    void childsAnswerRunsLegTwo() {
        asking(true);
        Message.Respond answer = origin(true).answer(new Response.Final(text("delivered")));

        assertThat(bench.run(answer).entry()).isEqualTo(new Entry.Fresh(AWAIT, 1));
        assertThat(bench.ledger(AWAIT)).isEqualTo("201100000000001");
        assertThat(bench.activity(AWAIT).output()).isEqualTo(text("delivered"));
        assertThat(bench.activity(AWAIT).child()).isEqualTo(CHILD);
        assertThat(bench.run(answer).entry()).isEqualTo(new Entry.Duplicate());
    }

    @Test
    void childKnowsWhetherItIsAwaited() {
        asking(false);

        assertThat(((Message.Start) bench.posted.getFirst().message()).beginning().origin()).isEqualTo(origin(false));
    }

    @Test
    void awaitedChildThatIsInterruptedAnswersWithItsFailure() {
        Workbench child = new Workbench().activity("work", Workbench.task());
        child.start(0, origin(true), "work");
        child.run(new Message.Interrupt(KEY, Guid.derive("test", "stop"),
                new Ending(WorkflowEvent.FAIL, "stopped", 500, false, text("why"))));

        assertThat(child.state.started().status()).isEqualTo(WorkflowStatus.FAILED);
        assertThat(child.posted).singleElement().satisfies(post -> assertThat(post.message())
                .isEqualTo(origin(true).answer(new Response.Failure(text("why")))));
    }

    private void asking(boolean awaitsResult) {
        Payload parcel = text("parcel");
        bench.activity("child", new Request.StartChild(CHILD, "delivery", "3", "begin", parcel, awaitsResult))
                .start("child");
        bench.runNext();
    }

    private static Origin origin(boolean awaitsResult) {
        return new Origin(new Recipient("shop", KEY), AWAIT, Guid.ofAnswer(KEY, AWAIT, 1, 0), awaitsResult);
    }
}
