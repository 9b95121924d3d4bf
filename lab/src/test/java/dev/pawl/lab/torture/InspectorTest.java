package dev.pawl.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A check that cannot fail proves nothing: a sound database is ruined in one way at a time, and each must be found. */
class InspectorTest {

    private static final long SEED = 11;
    private static final int SCENARIOS = 60;

    /** A workflow that a client has started and seen closed. */
    private static final String ONE = "(select min(workflow_no) from workflow where workflow_id like '%-order')";
    private static final String OF_ONE = " where workflow_no = " + ONE;

    @TempDir
    private static Path sound;

    @TempDir
    private Path folder;

    /** One way to ruin a database, and what must be said about it. */
    record Ruin(String name, Deed deed, String found) {

        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    interface Deed {

        void on(Ruined database) throws Exception;
    }

    @BeforeAll
    static void runEverythingOnce() throws Exception {
        // What was begun and not served is what a process without new clients does.
        Files.writeString(OutsideWorld.file(sound, "main"), IntStream.range(0, SCENARIOS)
                .mapToObj(number -> "begin " + number + "\n").collect(Collectors.joining()));
        SqliteSite site = new SqliteSite(new Site(sound, Stores.SQLITE + sound.resolve("pawl.db"), SEED),
                sound.resolve("pawl.db"));
        assertThat(site.finish()).isEmpty();
    }

    private static Ruin sql(String name, String found, String... statements) {
        return new Ruin(name, database -> database.sql(statements), found);
    }

    static Stream<Ruin> ruins() {
        List<Ruin> ruins = new ArrayList<>(List.of(
                sql("an event is missing", "cannot be read: event 3",
                        "delete from event" + OF_ONE + " and number = 2"),
                // What comes after the end, such as a late answer, may change nothing of the row: without it the row still fits.
                sql("the end is missing", "is not what its events come to",
                        "delete from event" + OF_ONE + " and number >= (select max(number) from event" + OF_ONE
                                + " and body like '%\"closed\":{%')"),
                sql("an event was changed", "has another text than it was written with",
                        "update event set body = replace(body, 'respond', 'respand')" + OF_ONE),
                sql("the semaphore is not where it was", "is not what its events come to",
                        "update workflow set semaphore = 1" + OF_ONE),
                sql("a closed workflow is open again", "is not what its events come to",
                        "update workflow set status = 'RUNNING', closed_at = null, closed_by = null" + OF_ONE),
                sql("another result", "the payload of \"output\"", "update workflow set output = x'00'" + OF_ONE),
                sql("another input", "the payload of \"input\"", "update workflow set input = x'00'" + OF_ONE),
                sql("another answer", "is missing, or was changed",
                        "update event set payloads = substr(payloads, 1, length(payloads) - 1) || x'00'" + OF_ONE
                                + " and payloads is not null"),
                sql("an answer is cut off", "are not as they were written",
                        "update event set payloads = substr(payloads, 1, length(payloads) - 1)" + OF_ONE
                                + " and payloads is not null"),
                sql("a wait was left behind", "P8 waits left",
                        "insert into waiting (workflow_no, address, activity, namespace, shard_no, waker, due_at)"
                                + " select workflow_no, ',0,0', 'nap', namespace, shard_no, 'TIMER', 1 from workflow"
                                + OF_ONE),
                sql("an acknowledged workflow is missing", "lost: ", "delete from workflow" + OF_ONE),
                sql("a child is missing", "P8 scenario",
                        "delete from workflow where workflow_id like '%-ending-child.0.0.0'"),
                sql("a join is open", "joins",
                        "update join_gate set closed_by = null, semaphore = 1 where activity = 'join'"),
                sql("an accepted signal is not known any more", "P6 ", "delete from signal_acceptance"),
                sql("a signal was accepted at another time", "P6 ",
                        "update signal_acceptance set accepted_at = accepted_at + 1"),
                sql("a message is left", "P8 left in the inbox",
                        "insert into inbox (namespace, shard_no, workflow_id, kind, guid, name, response, payload)"
                                + " select namespace, shard_no, workflow_id, 'SIGNAL', zeroblob(16), 'x', 'FINAL', x''"
                                + " from workflow" + OF_ONE)));
        ruins.addAll(forged());
        ruins.addAll(outside());
        return ruins.stream();
    }

    /** Events with other words, and the chain made anew after them. */
    private static List<Ruin> forged() {
        return List.of(
                forged("a digit was lowered", "shrinks", "(\"key\":\"pay,0,0\",\"ledger\":)20\\d+", "$11000000000000"),
                forged("a step was forgotten", "", "(\"key\":\"pay,0,0\",\"ledger\":\\d+,\"message\":)\\d+", "$11"),
                forged("the closer was forgotten", "", "\"closes\":true,", ""),
                forged("another waker", "P", "\"waker\":\"timer \\d+\"", "\"waker\":\"timer 9999999999999\""),
                new Ruin("a second answer was taken", database -> database.forge(one(database), events -> events
                        .stream()
                        .map(each -> each.contains("\"key\":\"pay,0,0\",\"ledger\":2") && !each.contains("\"ledgers\":")
                                ? each.replaceFirst("\"previous\":",
                                        "\"ledgers\":[{\"guid\":\"AAAAAAAAAAAAAAAAAAAAAA\","
                                                + "\"key\":\"pay,0,0\",\"ledger\":11000000002}],\"previous\":")
                                : each)
                        .toList()), "took two answers"));
    }

    private static Ruin forged(String name, String found, String pattern, String with) {
        return new Ruin(name, database -> database.forge(one(database), events -> {
            List<String> changed = events.stream().map(each -> each.replaceFirst(pattern, with)).toList();
            assertThat(changed).as("nothing to ruin").isNotEqualTo(events);
            return changed;
        }), found);
    }

    private static List<Ruin> outside() {
        return List.of(
                new Ruin("what was read is lost, and the chain is whole", InspectorTest::rollBack,
                        "is not what its events come to"),
                new Ruin("a timer fired early", database -> database.forge(one(database), events -> events.stream()
                        .map(each -> each.contains("\"waker\":\"timer ") || each.contains("\"closed\":") ? each
                                : each.replaceFirst(
                                        "\"at\":\\d+,\"cause\":\"respond\"",
                                        "\"at\":1577836800000,\"cause\":\"respond\""))
                        .toList()), "P7 the timer of nap"),
                new Ruin("an answer nobody gave", database -> {
                    List<String> lines = Files.readAllLines(database.log());
                    Files.write(database.log(), lines.stream()
                            .filter(line -> !line.startsWith("call " + one(database) + " ")).toList());
                }, "took an answer that nobody gave"),
                new Ruin("a call made twice", database -> database.tell(Files.readAllLines(database.log()).stream()
                        .filter(line -> line.startsWith("call ")).findFirst().orElseThrow()), "was made twice"),
                new Ruin("a call that was never declared", database -> database.tell("call " + one(database)
                        + " pay@,0,0 99"), "its attempt is not there"),
                new Ruin("a zombie's commit", database -> {
                    String first = Files.readAllLines(database.log()).stream()
                            .filter(line -> line.startsWith("commit ")).findFirst().orElseThrow();
                    database.tell(first.replaceFirst("commit (\\d+) \\d+ \\S+ ", "commit $1 999 zombie "));
                    database.tell(first.replaceFirst("commit (\\d+) .*", "own $1 999 zombie"));
                }, "P5 committed twice"),
                new Ruin("a start that is not there", database -> database.tell("start "
                        + new Load(SEED).scenario(999).starts().getFirst().workflowId()), "lost: 999-"),
                new Ruin("something the process saw itself", database -> database.tell("wrong P6 accepted twice"),
                        "P6 accepted twice"),
                new Ruin("a broken page", Ruined::scratch, ""));
    }

    private static String one(Ruined database) {
        try {
            return database.ask("select workflow_id from workflow" + OF_ONE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The end is gone from the chain and its head, as if it had never been committed, and what came too late for it. */
    private static void rollBack(Ruined database) throws SQLException {
        database.forge(one(database), events -> events.stream().takeWhile(each -> !each.contains("\"closed\":"))
                .toList());
    }

    @Test
    void soundDatabaseHasNoViolation() throws Exception {
        try (Ruined copy = new Ruined(sound, folder)) {
            assertThat(copy.violations(SEED)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("ruins")
    void ruinIsFound(Ruin ruin) throws Exception {
        try (Ruined database = new Ruined(sound, folder)) {
            ruin.deed().on(database);

            assertThat(database.violations(SEED)).isNotEmpty().anyMatch(each -> each.contains(ruin.found()));
        }
    }
}
