package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.MORE;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A signal that is accepted in the commit that deals with it. */
class AcceptTest {

    private static final ActivityKey HOOK = at("hook", ",0,0");

    private final Workbench bench = new Workbench().activity("after", task());

    private static Write.Accept acceptance(Message.Signal signal) {
        return new Write.Accept(signal.topic(), "id", true, signal.guid(), NOW, NOW.plusSeconds(60));
    }

    private @Nullable Transition accept(Message.Signal signal) {
        return Collation.accept(bench.state, acceptance(signal), signal, bench, bench.now);
    }

    private Bundle accepted(Message.Signal signal) {
        Bundle bundle = Objects.requireNonNull(accept(signal)).bundle();
        bench.commit(bundle);
        return bundle;
    }

    private void waiting() {
        bench.activity("hook", new Request.WebHook("approval"), "after").start("hook");
        bench.runNext();
    }

    @Test
    void acceptanceStandsWithTheFirstWritesAndNowhereElse() {
        waiting();
        Message.Signal signal = signal("approval", "s1", DONE);

        Bundle bundle = accepted(signal);

        assertThat(bundle.parts().getFirst().writes()).startsWith(acceptance(signal)).hasSizeGreaterThan(1);
        assertThat(bundle.writes().stream().filter(Write.Accept.class::isInstance)).hasSize(1);
        assertThat(bench.ledger(HOOK)).isEqualTo("201100000000001");
        assertThat(bench.ledger(signal)).isEqualTo("000011000000001");
    }

    /** Told of, it is a signal like any other: how it came is nothing the workflow has to do with. */
    @Test
    void eventIsThatOfASignalFromTheInbox() {
        waiting();
        Message.Signal signal = signal("approval", "s1", DONE);
        Bundle plain = Collation.transition(bench.state, Delivery.inbox(7, signal), bench, NOW).bundle();

        assertThat(accepted(signal).seal()).isEqualTo(plain.seal());
    }

    @Test
    void signalThatNobodyWaitsForIsAcceptedAndKept() {
        waiting();
        Message.Signal other = signal("refusal", "s1", DONE);

        Bundle bundle = accepted(other);

        assertThat(bundle.parts().getFirst().writes()).containsExactly(acceptance(other),
                new Write.BufferSignal(other));
        assertThat(bench.state.signals()).containsExactly(other);
    }

    @Test
    void whatIsKnownOrComesTooLateIsNotAccepted() {
        Message.Signal signal = signal("approval", "s1", DONE);
        assertThat(accept(signal)).as("nobody there").isNull();
        waiting();
        accepted(signal);
        assertThat(accept(signal)).as("applied").isNull();
        Message.Signal kept = signal("refusal", "s1", DONE);
        accepted(kept);
        assertThat(accept(kept)).as("kept").isNull();
        bench.runNext();
        bench.run(Message.Respond.answer(KEY, at("after", ",0,0,0"), 1, DONE));
        assertThat(bench.state.started().gate().closed()).isTrue();
        assertThat(accept(signal("approval", "s2", MORE))).as("closed").isNull();
    }
}
