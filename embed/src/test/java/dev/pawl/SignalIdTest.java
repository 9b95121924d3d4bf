package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Write;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals as a program sends them: which ids are taken, what is answered, and what a retry after a crash comes to. */
class SignalIdTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String END = "end";

    /** Says what came, in its order. */
    private final Flow<String, String> flow = Flow.named("listen", String.class, String.class, (context, input) -> {
        List<String> heard = new ArrayList<>();
        for (String word = context.signal("word", String.class); !word.equals(END); word =
                context.signal("word", String.class)) {
            heard.add(word);
        }
        return String.join(",", heard);
    });

    private Pawl open(String url) {
        return Pawl.builder().url(url).shards(1).definitions(flow).open();
    }

    private String heard(Pawl pawl) {
        pawl.workflow("w").signal("word", END);
        return pawl.workflow(flow, "w").result(SOON);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void idThatCannotBeTakenIsRefusedBeforeAnythingIsKept(Databases.Kind kind) {
        try (Pawl pawl = open(kind.fresh())) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            // The last one has 43 characters, of three bytes each.
            for (String id : List.of("", "i".repeat(129), "\u20ac".repeat(43))) {
                assertThatThrownBy(() -> handle.signal("word", "refused", id))
                        .hasFieldOrPropertyWithValue("code", "ValidationFailed").hasMessageContaining("128 bytes");
            }
            handle.signal("word", "taken", "i".repeat(128));
            handle.signal("word", "taken, too", "\u20ac".repeat(42));
            assertThat(heard(pawl)).isEqualTo("taken,taken, too");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void duplicateIsAnsweredWithTheFirstResultWhateverItCarries(Databases.Kind kind) {
        String url = kind.fresh();
        AcceptedSignalResult first;
        try (Pawl pawl = open(url)) {
            pawl.start(flow, "w", "");
            first = pawl.workflow("w").signal("word", "one", "s-1");
            assertThat(first.accepted()).isTrue();
            assertThat(first.workflowId()).isEqualTo("w");
            assertThat(first.signalName()).isEqualTo("word");
            assertThat(first.signalId()).isEqualTo("s-1");
            assertThat(first.acceptedAt()).isNotNull();
            assertThat(first.signalStorageKey()).isNotBlank();
            assertThat(pawl.workflow("w").signal("word", "another", "s-1")).isEqualTo(first);
        }
        try (Pawl pawl = open(url)) {
            assertThat(pawl.workflow("w").signal("word", "another", "s-1")).isEqualTo(first);
            assertThat(heard(pawl)).isEqualTo("one");
            assertThat(pawl.workflow("w").signal("word", "another", "s-1")).as("after the end").isEqualTo(first);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void signalWithoutAnIdIsAnotherOneEachTime(Databases.Kind kind) {
        try (Pawl pawl = open(kind.fresh())) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            AcceptedSignalResult first = handle.signal("word", "same");
            AcceptedSignalResult second = handle.signal("word", "same");
            assertThat(second.signalId()).isNotEqualTo(first.signalId());
            assertThat(heard(pawl)).isEqualTo("same,same");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void idsAreTakenByteByByte(Databases.Kind kind) {
        List<String> ids = List.of("a", "A", " a", "a ", "a:b", "a%3Ab", "a%b", "\u00e9", "e\u0301", "\0", "a\0b",
                "\\0", "\ud83d\ude00", "a/b", "a,b", "w:word:a");
        try (Pawl pawl = open(kind.fresh())) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            Set<String> places = new HashSet<>();
            for (int i = 0; i < ids.size(); i++) {
                AcceptedSignalResult result = handle.signal("word", "" + i, ids.get(i));
                assertThat(result.signalId()).isEqualTo(ids.get(i));
                places.add(result.signalStorageKey());
            }
            assertThat(places).hasSize(ids.size());
            assertThat(heard(pawl).split(",")).hasSize(ids.size());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void manyAtOnceAreAnsweredAlikeAndAppliedOnce(Databases.Kind kind) throws Exception {
        int threads = 8;
        try (Pawl pawl = open(kind.fresh()); ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            CyclicBarrier together = new CyclicBarrier(threads);
            Callable<AcceptedSignalResult> sending = () -> {
                together.await();
                return handle.signal("word", "once", "s-1");
            };
            Set<AcceptedSignalResult> results = new HashSet<>();
            for (Future<AcceptedSignalResult> each : pool.invokeAll(java.util.Collections.nCopies(threads, sending))) {
                results.add(each.get());
            }
            assertThat(results).hasSize(1);
            assertThat(heard(pawl)).isEqualTo("once");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void retryAfterTheAnswerWasLostFindsTheFirstResult(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "w", "");
            first.cutAfter(Write.Accept.class::isInstance);
            assertThatThrownBy(() -> first.pawl.workflow("w").signal("word", "one", "s-1"))
                    .isInstanceOf(StoreException.class);
        }
        List<Long> kept = acceptedAt(url);
        assertThat(kept).as("the acceptance was committed before the answer got lost").hasSize(1);
        try (Lifetime second = new Lifetime(url, flow)) {
            // The retry carries another word, so that it can be told which of the two was applied.
            AcceptedSignalResult retried = second.pawl.workflow("w").signal("word", "two", "s-1");
            assertThat(retried.acceptedAt().toEpochMilli()).isEqualTo(kept.getFirst());
            assertThat(second.pawl.workflow("w").signal("word", "three", "s-1")).isEqualTo(retried);
            assertThat(heard(second.pawl)).isEqualTo("one");
        }
    }

    private static List<Long> acceptedAt(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select accepted_at from "
                        + Lifetime.table(url, "signal_acceptance") + " where signal_id = 's-1'")) {
            List<Long> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
            return found;
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void retryAfterNothingWasKeptIsTheFirst(Databases.Kind kind) {
        String url = kind.fresh();
        try (Lifetime first = new Lifetime(url, flow)) {
            first.pawl.start(flow, "w", "");
            first.cut();
            assertThatThrownBy(() -> first.pawl.workflow("w").signal("word", "one", "s-1"))
                    .isInstanceOf(StoreException.Unavailable.class);
        }
        try (Lifetime second = new Lifetime(url, flow)) {
            second.pawl.workflow("w").signal("word", "two", "s-1");
            assertThat(heard(second.pawl)).isEqualTo("two");
        }
    }
}
