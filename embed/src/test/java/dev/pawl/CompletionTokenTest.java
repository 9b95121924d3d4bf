package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.PawlException;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Only the worker that an activity was handed to can complete it: its token is a secret, and the store has only the hash. */
class CompletionTokenTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final Activity<String, String> handOver = Activity.<String, String>named("hand-over", String.class,
            String.class, (attempt, input) -> {
                tokens.add(attempt.token());
                return "ignored";
            }).completedElsewhere();
    private final Flow<String, String> flow = Flow.named("async", String.class, String.class,
            (context, input) -> context.run("a", handOver, input) + context.run("b", handOver, input));

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static String plain(String token) {
        return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    }

    private static String encoded(String plain) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    private static void refused(String code, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(PawlException.class).hasFieldOrPropertyWithValue("code", code);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void wrongTokenIsRefusedAndNothingIsRecorded(Databases.Kind kind) throws Exception {
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            await(() -> tokens.size() == 1 && life.operation("w", "~a:a") != null);
            String plain = plain(tokens.getFirst());
            int events = handle.events().size();

            List<String> wrong = List.of(encoded(plain.substring(0, plain.length() - 1) + '!'),
                    encoded(plain.substring(0, plain.lastIndexOf('/') + 1)), encoded("default/w/a"),
                    encoded(plain.replace("/a/", "/b/")), encoded(plain.replace("/1/", "/2/")),
                    encoded(plain.replace("default/", "other/")), "", "nonsense", encoded("default/w/a/x/y"));
            List<Consumer<String>> calls = List.of(token -> life.pawl.complete(token, "stolen"),
                    token -> life.pawl.fail(token, "stolen"), life.pawl::heartbeat);
            for (String token : wrong) {
                calls.forEach(call -> refused("ValidationFailed", () -> call.accept(token)));
            }
            refused("NotFound", () -> life.pawl.complete(encoded(plain.replace("/w/", "/nowhere/")), "stolen"));
            assertThat(handle.events()).hasSize(events);

            life.pawl.complete(tokens.getFirst(), "1");
            life.pawl.complete(tokens.getFirst(), "ignored: a second completion");
            await(() -> tokens.size() == 2);
            life.pawl.complete(tokens.get(1), "2");
            assertThat(handle.result(SOON)).isEqualTo("12");
            life.pawl.complete(tokens.get(1), "ignored: the workflow is over");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void onlyTheHashOfASecretIsStored(Databases.Kind kind) throws Exception {
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            WorkflowHandle<String> handle = life.pawl.start(flow, "w", "");
            life.pawl.start(flow, "v", "");
            await(() -> tokens.size() == 2 && life.operation("w", "~a:a") != null);
            List<String> secrets = tokens.stream().map(CompletionTokenTest::plain)
                    .map(plain -> plain.substring(plain.lastIndexOf('/') + 1)).toList();
            assertThat(secrets).doesNotHaveDuplicates()
                    .allSatisfy(secret -> assertThat(Base64.getUrlDecoder().decode(secret)).hasSizeGreaterThan(15));

            String token = tokens.stream().filter(each -> plain(each).contains("/w/")).findFirst().orElseThrow();
            ActivityRecord issued = Objects.requireNonNull(life.operation("w", "~k1:a"));
            assertThat(text(issued.output().bytes())).isEqualTo('"' + Hash.of(token).hex() + '"');
            assertThat(handle.operations()).allSatisfy(each -> assertThat(
                    text(each.input().bytes()) + text(each.output().bytes()) + each.waker())
                    .doesNotContain(secrets).doesNotContain(tokens));
            assertThat(handle.events()).allSatisfy(
                    event -> assertThat(event.json()).doesNotContain(secrets).doesNotContain(tokens));
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The body runs once in each attempt; the token of an attempt that was lost with its process stays valid. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void nextAttemptHasATokenOfItsOwnAndTheFirstStaysValid(Databases.Kind kind) throws Exception {
        List<Lifetime> lives = Collections.synchronizedList(new ArrayList<>());
        Activity<String, String> lost = Activity.<String, String>named("hand-over", String.class, String.class,
                (attempt, input) -> {
                    tokens.add(attempt.token());
                    if (attempt.attempt() == 1) {
                        lives.getFirst().cut();
                    }
                    return "ignored";
                }).completedElsewhere();
        Flow<String, String> once = Flow.named("async", String.class, String.class,
                (context, input) -> context.run("a", lost, input));
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, once)) {
            lives.add(first);
            first.pawl.start(once, "w", "");
            first.awaitCut();
        }
        try (Lifetime second = new Lifetime(url, once)) {
            await(() -> tokens.size() == 2);
            assertThat(tokens.get(1)).isNotEqualTo(tokens.get(0));
            second.pawl.complete(tokens.get(0), "the first worker's");
            assertThat(second.pawl.workflow(once, "w").result(SOON)).isEqualTo("the first worker's");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void completionsCannotBeSentAsSignals(Databases.Kind kind) throws Exception {
        String topic = "pawl-complete:w/a";
        Flow<String, String> thief = Flow.named("thief", String.class, String.class, (context, input) -> {
            context.signalTo("w", topic, "stolen");
            return "";
        });
        try (Lifetime life = new Lifetime(kind.fresh(), flow, thief)) {
            life.pawl.start(flow, "w", "");
            await(() -> tokens.size() == 1);
            refused("ValidationFailed", () -> life.pawl.workflow("w").signal(topic, "stolen"));
            assertThatThrownBy(() -> life.pawl.start(thief, "t", "").result(SOON))
                    .hasMessageContaining("pawl-complete:");
        }
    }

    /** Kept signals go with a workflow that continues as new; a completion must not complete another hand-over there. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void completionIsNotPassedOnToTheWorkflowThatContinues(Databases.Kind kind) throws Exception {
        Activity<String, String> brief = handOver.timeout(Duration.ofMillis(30));
        Flow<String, String> renewed = Flow.named("renewed", String.class, String.class, (context, input) -> {
            if (input.isEmpty()) {
                try {
                    context.run("a", brief, input);
                } catch (dev.pawl.engine.flow.OperationFailed e) {
                    context.signal("go", String.class);
                }
                return context.continueAsNew("again");
            }
            return context.run("a", handOver, input);
        });
        try (Lifetime life = new Lifetime(kind.fresh(), renewed)) {
            WorkflowHandle<String> handle = life.pawl.start(renewed, "w", "");
            await(() -> life.operation("w", "go") != null);
            life.pawl.complete(tokens.getFirst(), "of the first");
            handle.signal("go", "");
            await(() -> tokens.size() == 2);
            refused("WorkflowClosed", () -> life.pawl.heartbeat(tokens.getFirst()));
            life.pawl.complete(tokens.get(1), "of the second");
            assertThat(handle.result(SOON)).isEqualTo("of the second");
        }
    }
}
