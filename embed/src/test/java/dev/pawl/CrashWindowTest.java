package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.ActivityContext;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What happens when a process ends at each point of an operation, for everything that can be promised of one: measured on both stores, and
 * held against the table in docs/GUARANTEES.md. {@code -Dpawl.guarantees=write} writes that table anew.
 */
class CrashWindowTest {

    private static final Path DOCUMENT = Path.of("../docs/GUARANTEES.md");
    private static final String BEGIN = "<!-- crash windows: begin -->\n";
    private static final String END = "<!-- crash windows: end -->";
    private static final String HEAD =
            "| the process ends | promise | operation found | effect record found | the next process | function ran"
                    + " | effect happened | in the end |\n|---|---|---|---|---|---|---|---|\n";
    private static final boolean WRITES = System.getProperty("pawl.guarantees", "").equals("write");
    private static final Map<Window, Map<Level, String>> ROWS = new EnumMap<>(Window.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final Set<String> received = new HashSet<>();
    private final AtomicReference<@Nullable Lifetime> doomed = new AtomicReference<>();

    private static Stream<Arguments> windows() {
        return Databases.all().flatMap(kind -> Arrays.stream(Window.values()).flatMap(window -> Arrays
                .stream(Level.values()).filter(window::exists).map(level -> Arguments.of(kind, window, level))));
    }

    private void end(Window window) {
        Lifetime current = doomed.get();
        if (window == Window.DONE && current != null) {
            current.cut();
        }
    }

    private static int book(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists booked (n integer not null)");
            return statement.executeUpdate("insert into booked values (1)");
        }
    }

    private String run(FlowContext context, Level level, Window window, @Nullable HikariDataSource own) {
        FlowContext.Transactional<String> booking = connection -> {
            runs.incrementAndGet();
            book(connection);
            end(window);
            if (own != null && window == Window.DONE && doomed.get() != null) {
                throw new IllegalStateException("the process has ended, and its connection with it");
            }
            return "done";
        };
        return switch (level) {
            case ENGINE_TRANSACTION -> context.transaction("act", String.class, booking);
            case OWN_TRANSACTION -> context.transaction("act", Objects.requireNonNull(own), String.class, booking);
            default -> context.run("act", activity(level, window), "");
        };
    }

    private Activity<String, String> activity(Level level, Window window) {
        Activity<String, String> activity = Activity.named("act", String.class, String.class,
                (ActivityContext attempt, String input) -> {
                    runs.incrementAndGet();
                    if (received.add(attempt.idempotencyKey()) || level != Level.IDEMPOTENT) {
                        effects.incrementAndGet();
                    }
                    end(window);
                    return "done";
                });
        return level != Level.RECONCILED ? activity.guarantee(Guarantee.valueOf(level.name()))
                : activity.guarantee(Guarantee.RECONCILED).verify((key, input) -> {
                    looks.incrementAndGet();
                    return received.contains(key) ? new Verified.Completed<>("done") : new Verified.NotCompleted<>();
                });
    }

    private static void arm(Lifetime life, Window window, Level level) {
        switch (window) {
            case UNDECLARED -> {
                if (level == Level.ENGINE_TRANSACTION) {
                    life.cutBeforeTransactions();
                } else {
                    life.cutBefore(Lifetime.begins("act"));
                }
            }
            case DECLARED -> life.cutAfter(Lifetime.begins("act"));
            case RECORDED_ELSEWHERE -> life.cutBefore(Lifetime.ends("act"));
            case COMMITTED -> life.cutAfter(Lifetime.ends("act"));
            case DONE, HALF_RECORDED -> {}
        }
    }

    @ParameterizedTest
    @MethodSource("windows")
    void everyWindowIsAsTheTableSays(Databases.Kind kind, Window window, Level level) throws Exception {
        String url = kind.fresh();
        String ownUrl = level == Level.OWN_TRANSACTION ? kind.fresh() : url;
        HikariDataSource own = level == Level.OWN_TRANSACTION ? Databases.source(ownUrl) : null;
        Flow<String, String> flow = Flow.named("flow", String.class, String.class, (context, input) -> {
            try {
                return run(context, level, window, own);
            } catch (OperationFailed e) {
                return e.code();
            }
        });
        String found;
        try (Lifetime first = new Lifetime(url, flow)) {
            doomed.set(first);
            arm(first, window, level);
            first.pawl.start(flow, "w", "");
            first.awaitCut();
            found = operation(first.operation("w", "act")) + " | " + record(first.effects("w"));
        }
        doomed.set(null);
        int before = runs.get();
        looks.set(0);
        try (Lifetime second = new Lifetime(url, flow)) {
            String outcome = second.pawl.workflow(flow, "w").result(SOON);
            int happened = level.transaction() ? booked(ownUrl) : effects.get();
            assertPromise(window, level, outcome, happened);
            String row = String.join(" | ", "| " + window.text, level.text, found,
                    next(runs.get() - before, outcome, window), times(runs.get()), times(happened),
                    (outcome.equals("done") ? "result" : "`" + outcome + "`") + ending(second.effects("w"))) + " |";
            check(window, level, row);
        } finally {
            if (own != null) {
                own.close();
            }
        }
    }

    /** Whatever the table says: nothing but what is at-least-once happens twice, and a result without an effect is a lie. */
    private static void assertPromise(Window window, Level level, String outcome, int happened) {
        assertThat(happened).isLessThanOrEqualTo(level == Level.AT_LEAST_ONCE && window == Window.DONE ? 2 : 1);
        if (outcome.equals("done")) {
            assertThat(happened).isPositive();
        }
        if (level != Level.AT_MOST_ONCE) {
            assertThat(outcome).isEqualTo("done");
        }
    }

    private static int booked(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from booked")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static String operation(@Nullable ActivityRecord operation) {
        return operation == null ? "none" : operation.ledger().finalized() ? "ended" : "begun";
    }

    private static String record(List<EffectRecord> effects) {
        return effects.isEmpty() ? "none" : "`" + effects.getFirst().effect().status().text() + "`";
    }

    private static String ending(List<EffectRecord> effects) {
        return effects.isEmpty() ? "" : ", effect " + record(effects);
    }

    private String next(int ran, String outcome, Window window) {
        String looked = looks.get() == 0 ? "" : "looks it up, ";
        if (ran > 0) {
            return looked + "runs it";
        }
        if (!outcome.equals("done")) {
            return looked + "fails";
        }
        return looked + (window == Window.RECORDED_ELSEWHERE ? "takes the application's record"
                : looks.get() > 0 ? "takes what it found" : "takes the record");
    }

    private static String times(int count) {
        return switch (count) {
            case 0 -> "never";
            case 1 -> "once";
            case 2 -> "**twice**";
            default -> "**" + count + " times**";
        };
    }

    /** The same on every store. */
    private static synchronized void check(Window window, Level level, String row) throws IOException {
        String other = ROWS.computeIfAbsent(window, none -> new EnumMap<>(Level.class)).put(level, row);
        assertThat(other == null ? row : other).isEqualTo(row);
        if (!WRITES) {
            assertThat(table()).contains(row + "\n");
        }
    }

    private static String table() throws IOException {
        String document = Files.readString(DOCUMENT);
        return document.substring(document.indexOf(BEGIN) + BEGIN.length(), document.indexOf(END));
    }

    @Test
    void tableHasARowForEveryWindowAndNoOther() throws IOException {
        long expected = windows().count() / Databases.all().count();
        if (!WRITES) {
            assertThat(table()).startsWith(HEAD);
            assertThat(table().substring(HEAD.length()).lines()).hasSize((int) expected);
        }
    }

    @AfterAll
    static void write() throws IOException {
        if (WRITES) {
            String document = Files.readString(DOCUMENT);
            Files.writeString(DOCUMENT, document.substring(0, document.indexOf(BEGIN) + BEGIN.length()) + HEAD
                    + ROWS.values().stream().flatMap(rows -> rows.values().stream()).collect(Collectors.joining("\n"))
                    + "\n" + document.substring(document.indexOf(END)));
        }
    }

    /** Why windows 3 and 4 are not in the table where the engine keeps the record: one event tells of all of it. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void effectEventAndLedgerAreOneCommit(Databases.Kind kind) {
        Flow<String, String> flow = Flow.named("flow", String.class, String.class,
                (context, input) -> run(context, Level.RECONCILED, Window.COMMITTED, null));
        try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
            life.pawl.start(flow, "w", "").result(SOON);

            List<Event> ends = life.pawl.workflow("w").events().stream()
                    .filter(event -> event.json().contains("\"status\":\"completed\"")).toList();
            assertThat(ends).hasSize(1);
            assertThat(ends.getFirst().json()).contains("\"operation\":\"act\"")
                    .containsPattern("\"key\":\"act,[^\"]*\",\"ledger\":2");
            assertThat(life.pawl.workflow("w").events().stream()
                    .filter(event -> event.json().contains("\"status\":\"indeterminate\"")))
                    .singleElement().satisfies(event -> assertThat(event.json()).contains("local attempt 1"));
        }
    }
}
