package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.UpdateOptions;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A flow whose handlers are still at work when it comes to its end: what they answer is in what it hands on. */
class AwaitHandlersTest {

    private static final String END = "end";

    private static <T> CompletableFuture<T> later(Supplier<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(call.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Collects words: a handler waits until another one, or a signal, lets it. Goes on as new for "next", and ends for any other order. */
    private static Flow<String, String> words() {
        return Flow.named("words", String.class, String.class, (flow, given) -> {
            Set<String> words = new TreeSet<>(Set.of(given.split(",")));
            collect(flow, words);
            String order = flow.signal(END, String.class);
            flow.awaitHandlers();
            String all = String.join(",", words);
            return order.equals("next") ? flow.<String>continueAsNew(all) : all;
        });
    }

    private static void collect(FlowContext flow, Set<String> words) {
        flow.onQuery("words", String.class, String.class, none -> String.join(",", words));
        flow.onUpdate("add", String.class, String.class, (handler, word) -> {
            handler.signal("let-" + word, String.class);
            words.add(word);
            return word;
        }, UpdateOptions.<String>serial().concurrent());
        flow.onUpdate("let", String.class, String.class, (handler, word) -> {
            handler.signalTo(handler.workflowId(), "let-" + word, "");
            return word;
        }, UpdateOptions.<String>serial().concurrent());
    }

    private static void awaitOperation(WorkflowHandle<?> handle, String end) throws Exception {
        await(() -> handle.operations().stream().anyMatch(each -> each.key().activity().endsWith(end)));
    }

    private static void awaitEnd(WorkflowHandle<?> handle) throws Exception {
        await(() -> handle.operations().stream().anyMatch(each -> each.key().activity().equals(END)
                && each.ledger().finalized()));
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void whatAHandlerStillChangesGoesWithAFlowThatContinuesAsNew(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        CompletableFuture<String> added;
        try (Pawl pawl = open(url, waitingMax, words())) {
            WorkflowHandle<String> handle = pawl.start(words(), "w", "a");
            added = later(() -> handle.update("add", "b", String.class, "u-1", SOON));
            awaitOperation(handle, "let-b");
            handle.signal(END, "next");
            awaitEnd(handle);
            assertThat(handle.query("words", "", String.class)).isEqualTo("a");
            assertThat(handle.runIds()).containsExactly("w");
        }
        assertThat(added.isDone() && !added.isCompletedExceptionally()).as("an answer without its change").isFalse();
        try (Pawl pawl = open(url, waitingMax, words())) {
            WorkflowHandle<String> handle = pawl.workflow(words(), "w");
            assertThat(handle.query("words", "", String.class)).isEqualTo("a");
            handle.signal("let-b", "");
            assertThat(handle.update("add", "b", String.class, "u-1", SOON)).isEqualTo("b");
            await(() -> handle.runId().equals("w~2"));
            handle.signal(END, "now");
            assertThat(handle.result(SOON)).isEqualTo("a,b");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void handlerThatWaitsForAnotherUpdateIsAnsweredAlthoughTheFlowWaitsForItsHandlers(Databases.Kind kind,
            int waitingMax) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, words())) {
            WorkflowHandle<String> handle = pawl.start(words(), "w", "a");
            CompletableFuture<String> added = later(() -> handle.update("add", "b", String.class, "u-1", SOON));
            awaitOperation(handle, "let-b");
            handle.signal(END, "now");
            awaitEnd(handle);
            assertThat(handle.update("let", "b", String.class, "u-2", SOON)).isEqualTo("b");
            assertThat(added.get()).isEqualTo("b");
            assertThat(handle.result(SOON)).isEqualTo("a,b");
        }
    }

    /** The same without a wait of the flow's own: it ends when its handlers have. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void handlerThatWaitsForAnotherUpdateIsAnsweredAlthoughTheFlowIsAtItsEnd(Databases.Kind kind, int waitingMax)
            throws Exception {
        Flow<String, String> flow = Flow.named("ends", String.class, String.class, (context, given) -> {
            collect(context, new TreeSet<>());
            return context.signal(END, String.class);
        });
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "a");
            CompletableFuture<String> unused = later(() -> handle.update("add", "b", String.class, "u-1", SOON));
            awaitOperation(handle, "let-b");
            handle.signal(END, "now");
            awaitEnd(handle);
        }
        try (Pawl pawl = open(url, waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.workflow(flow, "w");
            assertThat(handle.update("let", "b", String.class, "u-2", SOON)).isEqualTo("b");
            assertThat(handle.update("add", "b", String.class, "u-1", SOON)).isEqualTo("b");
            assertThat(handle.result(SOON)).isEqualTo("now");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void cancellationEndsTheWaitAndTheFlow(Databases.Kind kind, int waitingMax) throws Exception {
        try (Pawl pawl = open(kind.fresh(), waitingMax, words())) {
            WorkflowHandle<String> handle = pawl.start(words(), "w", "a");
            CompletableFuture<String> added = later(() -> handle.update("add", "b", String.class, "u-1", SOON));
            awaitOperation(handle, "let-b");
            handle.signal(END, "next");
            awaitEnd(handle);
            handle.cancel("enough");
            assertThatThrownBy(() -> handle.result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("enough");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.CANCELLED);
            assertThat(handle.runIds()).containsExactly("w");
            assertThatThrownBy(added::get).hasMessageContaining("enough");
        }
    }

    /** The handler takes the request for the end; the run that would continue the flow must not be without it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void cancellationThatAHandlerHasTakenEndsAFlowThatContinuesAsNew(Databases.Kind kind, int waitingMax)
            throws Exception {
        Flow<String, String> flow = Flow.named("goes-on", String.class, String.class, (context, given) -> {
            collect(context, new TreeSet<>());
            context.signal(END, String.class);
            return context.continueAsNew("b");
        });
        try (Pawl pawl = open(kind.fresh(), waitingMax, flow)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "a");
            CompletableFuture<String> unused = later(() -> handle.update("add", "b", String.class, "u-1", SOON));
            awaitOperation(handle, "let-b");
            handle.signal(END, "next");
            awaitEnd(handle);
            handle.cancel("enough");
            assertThatThrownBy(() -> handle.result(SOON)).isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("enough");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.CANCELLED);
        }
    }
}
