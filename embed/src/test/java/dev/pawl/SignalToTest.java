package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.SignalNotAccepted;
import dev.pawl.engine.flow.SignalNotAccepted.Reason;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A flow that signals another workflow hears whether that one has it; the same in every run, and the signal is there once. */
class SignalToTest {

    private static final String OPERATION = "signal-to";

    /** Says so if it gets the signal twice. */
    private final Flow<String, String> target = Flow.named("target", String.class, String.class,
            (flow, input) -> flow.signal("news", String.class)
                    + flow.signal("news", String.class, Duration.ofMillis(50)).orElse(""));

    /** Tells another one, whether that works or not, and waits. */
    private final Flow<String, String> teller = Flow.named("teller", String.class, String.class, (flow, to) -> {
        String seen = "sent";
        try {
            flow.signalTo(to, "news", "it rains");
        } catch (SignalNotAccepted e) {
            seen = e.reason() + " " + e.workflowId() + " " + e.code() + " " + e.operation();
        }
        return seen + flow.signal("end", String.class);
    });

    private final Flow<String, String> careless = Flow.named("careless", String.class, String.class, (flow, to) -> {
        flow.signalTo(to, "news", "it rains");
        return "sent";
    });

    private final Flow<Integer, String> again = Flow.named("again", Integer.class, String.class, (flow, round) -> {
        if (round == 0) {
            flow.signal("go on", String.class);
            return flow.continueAsNew(1);
        }
        return flow.signal("news", String.class);
    });

    private static String end(Pawl pawl, Flow<String, String> teller, String id) {
        pawl.workflow(id).signal("end", "!");
        return pawl.workflow(teller, id).result(SOON);
    }

    private static ActivityRecord told(Lifetime life, String id) {
        return Objects.requireNonNull(life.operation(id, OPERATION));
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void flowHearsThatItsSignalWasAccepted(Databases.Kind kind, int waitingMax) {
        try (Pawl pawl = open(kind.fresh(), waitingMax, target, teller)) {
            pawl.start(target, "t", "");
            pawl.start(teller, "s", "t");
            assertThat(pawl.workflow(target, "t").result(SOON)).isEqualTo("it rains");
            assertThat(end(pawl, teller, "s")).isEqualTo("sent!");
            assertThat(pawl.counters()).containsEntry("SignalsNotAcceptedTotal", 0L);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void flowHearsThatThereIsNobodyOrNobodyAnyMore(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        try (LogCapture log = new LogCapture(); Pawl pawl = open(url, waitingMax, target, teller)) {
            pawl.start(target, "over", "").cancel("not needed");
            await(() -> pawl.workflow("over").status() == WorkflowStatus.CANCELLED);
            pawl.start(teller, "s1", "nobody");
            pawl.start(teller, "s2", "over");
            await(() -> pawl.workflow("s1").operations().size() == 2 && pawl.workflow("s2").operations().size() == 2);
            assertThat(log.at(Level.WARNING, "was not accepted: \"NotFound\"")).hasSize(1).first().asString()
                    .contains("default/s1", "default/nobody", "SignalNotAccepted");
            assertThat(log.at(Level.WARNING, "was not accepted: \"WorkflowClosed\"")).hasSize(1).first().asString()
                    .contains("default/s2", "default/over");
            assertThat(pawl.counters()).containsEntry("SignalsNotAcceptedTotal", 2L);
        }
        try (LogCapture log = new LogCapture(); Pawl pawl = open(url, waitingMax, target, teller)) {
            assertThat(end(pawl, teller, "s1"))
                    .isEqualTo(Reason.WORKFLOW_MISSING + " nobody NotFound " + OPERATION + "!");
            assertThat(end(pawl, teller, "s2"))
                    .isEqualTo(Reason.WORKFLOW_CLOSED + " over WorkflowClosed " + OPERATION + "!");
            assertThat(log.from(Level.WARNING)).isEmpty();
            assertThat(pawl.counters()).containsEntry("SignalsNotAcceptedTotal", 0L);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void flowThatDoesNotCatchItFailsAndSaysWhy(Databases.Kind kind) {
        try (Pawl pawl = open(kind.fresh(), 1_000, careless)) {
            assertThatThrownBy(() -> pawl.start(careless, "s", "nobody").result(SOON))
                    .isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("the signal news to nobody was not accepted: there is no such workflow");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void flowMaySignalItself(Databases.Kind kind) {
        Flow<String, String> self = Flow.named("self", String.class, String.class, (flow, input) -> {
            flow.signalTo(flow.workflowId(), "news", "from me");
            return flow.signal("news", String.class);
        });
        try (Pawl pawl = open(kind.fresh(), 1_000, self)) {
            assertThat(pawl.start(self, "s", "").result(SOON)).isEqualTo("from me");
        }
    }

    /** What continues as new is not over: the next run has the signal, and answers for it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void workflowThatContinuesAsNewAcceptsInItsNextRun(Databases.Kind kind) throws Exception {
        try (Pawl pawl = open(kind.fresh(), 1_000, again, teller)) {
            pawl.start(again, "t", 0);
            pawl.workflow("t").signal("go on", "x");
            await(() -> pawl.store().workflow(new WorkflowKey("default", "t"))
                    .status() == WorkflowStatus.CONTINUED_AS_NEW);
            pawl.start(teller, "s", "t");
            assertThat(end(pawl, teller, "s")).isEqualTo("sent!");
            assertThat(pawl.workflow(again, "t").result(SOON)).isEqualTo("it rains");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void cancelledFlowDoesNotWaitForAReceipt(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Pawl pawl = open(url, 1_000, target)) {
            pawl.start(target, "t", "");
        }
        // The target is parked: nobody here has its definition, so that it accepts nothing.
        try (Pawl pawl = open(url, 1_000, teller)) {
            WorkflowHandle<String> sender = pawl.start(teller, "s", "t");
            await(() -> pawl.workflow("t").status() == WorkflowStatus.PARKED);
            sender.cancel("enough");
            assertThatThrownBy(() -> sender.result(SOON))
                    .hasFieldOrPropertyWithValue("status", WorkflowStatus.CANCELLED);
        }
        try (Pawl pawl = open(url, 1_000, teller, target)) {
            assertThat(pawl.workflow(target, "t").result(SOON)).isEqualTo("it rains");
        }
    }

    private static Predicate<Write> posts(Predicate<Message> message) {
        return write -> write instanceof Write.Post post && message.test(post.message());
    }

    private static Predicate<Write> receipt() {
        return posts(message -> message instanceof Message.Respond respond
                && respond.source() == Message.Source.RECEIPT);
    }

    private static Predicate<Write> sent() {
        return posts(message -> message instanceof Message.Signal signal && signal.sender() != null);
    }

    /** Where the process ends: around the signal, its receipt, and what the sender records of it. */
    enum Window {
        BEFORE_SENDING, AFTER_SENDING, BEFORE_RECEIPT, AFTER_RECEIPT, BEFORE_RECORD, AFTER_RECORD,
        /** The process lives, but nobody knows what became of the commit. */
        RECEIPT_LOST, RECEIPT_UNHEARD;

        void arm(Lifetime life) {
            switch (this) {
                case BEFORE_SENDING -> life.cutBefore(sent());
                case AFTER_SENDING -> life.cutAfter(sent());
                case BEFORE_RECEIPT -> life.cutBefore(receipt());
                case AFTER_RECEIPT -> life.cutAfter(receipt());
                case BEFORE_RECORD -> life.cutBefore(Lifetime.ends(OPERATION));
                case AFTER_RECORD -> life.cutAfter(Lifetime.ends(OPERATION));
                case RECEIPT_LOST -> life.lose(receipt());
                case RECEIPT_UNHEARD -> life.loseAnswer(receipt());
            }
        }

        boolean kills() {
            return this != RECEIPT_LOST && this != RECEIPT_UNHEARD;
        }
    }

    static Stream<Arguments> windows() {
        return Databases.all().flatMap(kind -> Stream.of(Window.values())
                .flatMap(window -> Stream.of("t", "nobody", "over").map(to -> Arguments.of(kind, window, to))));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void signalIsThereOnceAndItsOutcomeIsHeardWhereverTheProcessEnds(Databases.Kind kind, Window window, String to)
            throws Exception {
        String url = kind.fresh();
        try (Lifetime life = new Lifetime(url, target, teller)) {
            life.pawl.start(target, "t", "");
            life.pawl.start(target, "over", "").cancel("not needed");
            await(() -> life.pawl.workflow("over").status() == WorkflowStatus.CANCELLED);
            window.arm(life);
            life.pawl.start(teller, "s", to);
            if (window.kills()) {
                life.awaitCut();
            } else {
                await(() -> life.operation("s", OPERATION) != null && told(life, "s").ledger().finalized());
            }
        }
        try (Lifetime life = new Lifetime(url, target, teller)) {
            String expected = switch (to) {
                case "t" -> "sent!";
                case "over" -> Reason.WORKFLOW_CLOSED + " over WorkflowClosed " + OPERATION + "!";
                default -> Reason.WORKFLOW_MISSING + " nobody NotFound " + OPERATION + "!";
            };
            assertThat(end(life.pawl, teller, "s")).isEqualTo(expected);
            assertThat(told(life, "s").ledger().legTwoEntries()).isEqualTo(1);
            if (to.equals("t")) {
                assertThat(life.pawl.workflow(target, "t").result(SOON)).isEqualTo("it rains");
            } else {
                life.pawl.workflow("t").signal("news", "from outside");
                assertThat(life.pawl.workflow(target, "t").result(SOON)).isEqualTo("from outside");
            }
        }
    }
}
