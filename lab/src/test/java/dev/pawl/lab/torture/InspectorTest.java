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
                sql("an event is missing", "chain: ", "delete from event" + OF_ONE + " and number = 2"),
                sql("the last event is missing", "chain: the number of events",
                        "delete from event" + OF_ONE + " and number = (select version from workflow" + OF_ONE + ")"),
                sql("an event was changed", "chain: ",
                        "update event set body = replace(body, 'respond', 'respand')" + OF_ONE),
                sql("a digit was lowered", "P1 the ledger of",
                        "update activity set ledger = ledger - 200000000000000" + OF_ONE
                                + " and activity = 'pay'"),
                sql("a step was forgotten", "P1 ",
                        "update activity set guid_ledger = guid_ledger - 1000000000" + OF_ONE
                                + " and activity = 'pay'"),
                sql("the closer was forgotten", "cannot be read: step 3 is the closer's",
                        "update activity set guid_ledger = guid_ledger - 100000000000" + OF_ONE
                                + " and activity = 'ship'"),
                sql("the semaphore is not where it was", "P4 ", "update workflow set semaphore = 1" + OF_ONE),
                sql("a closed workflow is open again", "P4 ",
                        "update workflow set status = 'RUNNING', closed_at = null, closed_by = null" + OF_ONE),
                sql("another result", "P1 the result", "update workflow set output = x'00'" + OF_ONE),
                sql("another answer", "P1 the output of",
                        "update activity set output = x'00'" + OF_ONE + " and activity = 'pay'"),
                sql("another input", "P1 the input of",
                        "update activity set input = x'00'" + OF_ONE + " and activity = 'pay'"),
                sql("an activity is missing", "P1 the activities",
                        "delete from activity" + OF_ONE + " and activity = 'nap'"),
                sql("an acknowledged workflow is missing", "lost: ", "delete from workflow" + OF_ONE),
                sql("a child is missing", "P8 scenario",
                        "delete from workflow where workflow_id like '%-ending-child.0.0.0'"),
                sql("a join is open", "P4 whether the join",
                        "update join_gate set closed_by = null, semaphore = 1 where activity = 'join'"),
                sql("an accepted signal is not known any more", "P6 ", "delete from signal_acceptance"),
                sql("a signal was accepted at another time", "P6 ",
                        "update signal_acceptance set accepted_at = accepted_at + 1"),
                sql("a message is left", "P8 left in the inbox",
                        "insert into inbox (namespace, shard_no, workflow_id, kind, guid, name, response, payload)"
                                + " select namespace, shard_no, workflow_id, 'SIGNAL', zeroblob(16), 'x', 'FINAL', x''"
                                + " from workflow" + OF_ONE),
                sql("a second answer was taken", "took two answers",
                        "insert into guid_ledger (namespace, workflow_no, guid, address, activity, ledger)"
                                + " select namespace, workflow_no, zeroblob(16), address, activity, 11000000002"
                                + " from activity" + OF_ONE + " and activity = 'pay'")));
        ruins.addAll(outside());
        return ruins.stream();
    }

    private static List<Ruin> outside() {
        return List.of(
                new Ruin("what was read is lost, and the chain is whole", InspectorTest::rollBack, "lost: version"),
                new Ruin("a timer fired early", database -> database.forge(one(database), events -> events.stream()
                        .map(each -> each.contains("\"waker\":\"timer ") ? each : each.replaceFirst(
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
