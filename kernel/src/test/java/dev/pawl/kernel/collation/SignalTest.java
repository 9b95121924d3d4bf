package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Waker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Collation.md 20.5 and DESIGN.md 3.4: signals are durable messages in the commit of the digit. */
class SignalTest {

    private static final ActivityKey SIGNAL = at("signal", ",0,0");

    private final Workbench bench = new Workbench().activity("after", task());

    @Test
    void oneTargetIsSignalledInTheCommitOfTheDigit() {
        bench.activity("signal", new Request.SignalOne(other("waiter"), "approval", text("yes")), "after")
                .start("signal");
        Message enter = bench.queue.getFirst().message();
        Bundle bundle = bench.runNext().bundle();

        Message expected = new Message.Signal(other("waiter").workflow(),
                enter.guid().signalTo(other("waiter").workflow()), "approval", new Response.Final(text("yes")));
        assertThat(bench.posted).containsExactly(new Write.Post("shop", expected));
        assertThat(part(bundle, Step.WORK).writes()).contains(new Write.Post("shop", expected));
        assertThat(bench.ledger(SIGNAL)).isEqualTo("201100000000000");
        assertThat(bench.ledger(enter)).isEqualTo("000011000000000");
        assertThat(bench.queue).hasSize(1);
    }

    @Test
    void allTargetsOfOnePageAreSignalledTogether() {
        bench.targets = cursor -> new Audience.Targets(recipients(0, 3), null);
        signalAll();

        assertThat(bench.runNext().consumed()).isTrue();
        assertThat(bench.posted).extracting(post -> post.message().workflow().workflowId()).containsExactly("w0", "w1",
                "w2");
    }

    @Test
    void nobodyToSignalIsFine() {
        signalAll();
        bench.runNext();

        assertThat(bench.posted).isEmpty();
        assertThat(bench.ledger(SIGNAL)).isEqualTo("201100000000000");
    }

    @Test
    void moreThanOneCommitHoldsGoInChunksWithTheCursorInTheRow() {
        bench.targets = SignalTest::pagesOf2500;
        signalAll();
        Delivery enter = bench.queue.remove();

        Transition first = bench.run(enter);
        assertThat(first.consumed()).isFalse();
        assertThat(first.bundle().parts()).extracting(Bundle.Part::step).containsExactly(Step.ENTRY, Step.FAN_OUT);
        assertThat(bench.activity(SIGNAL).waker()).isEqualTo(new Waker.FanOut("1000"));
        assertThat(bench.ledger(SIGNAL)).isEqualTo("001000000000000");
        assertThat(bench.ledger(enter.message())).isEqualTo("000000000000000");

        assertThat(bench.run(enter).consumed()).isFalse();
        Transition last = bench.run(enter);

        assertThat(last.consumed()).isTrue();
        assertThat(bench.posted).hasSize(2500);
        Set<Guid> guids = new HashSet<>();
        bench.posted.forEach(post -> guids.add(post.message().guid()));
        assertThat(guids).hasSize(2500);
        assertThat(bench.ledger(SIGNAL)).isEqualTo("201100000000000");
        assertThat(bench.ledger(enter.message())).isEqualTo("000011000000000");
        assertThat(bench.activity(SIGNAL).waker()).isEqualTo(new Waker.None());
    }

    @Test
    void sameChunkAgainCarriesTheSameGuids() {
        bench.targets = cursor -> new Audience.Targets(recipients(0, 2), cursor == null ? "again" : null);
        signalAll();
        Delivery enter = bench.queue.remove();
        bench.run(enter);
        bench.run(enter);

        assertThat(bench.posted.subList(0, 2)).isEqualTo(bench.posted.subList(2, 4));
    }

    @Test
    void pageLargerThanACommitMayHoldIsRefused() {
        bench.targets = cursor -> new Audience.Targets(recipients(0, 1001), null);
        signalAll();

        assertThatThrownBy(bench::runNext).isInstanceOf(DefinitionFault.class).hasMessageContaining("1001");
    }

    private void signalAll() {
        bench.activity("signal", new Request.SignalAll("approval", text("yes")), "after").start("signal");
    }

    private static Audience.Targets pagesOf2500(@Nullable String cursor) {
        int from = cursor == null ? 0 : Integer.parseInt(cursor);
        int to = Math.min(2500, from + Collation.FAN_OUT_MAX);
        return new Audience.Targets(recipients(from, to), to < 2500 ? String.valueOf(to) : null);
    }

    private static List<Recipient> recipients(int from, int to) {
        return IntStream.range(from, to).mapToObj(number -> other("w" + number)).toList();
    }

    private static Bundle.Part part(Bundle bundle, Step step) {
        return bundle.parts().stream().filter(part -> part.step() == step).findFirst().orElseThrow();
    }
}
