package dev.pawl.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.lab.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo from its first line to its last, once, with a process that is really killed. */
class DemoTest {

    private static final String FINAL = "201100000000001";

    @TempDir
    static Path folder;

    private static String printed = "";

    @BeforeAll
    static void run() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.command().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
                .execute("demo", "--folder", folder.toString());
        printed = out.toString();
        assertThat(code).as("%s%n%s", printed, err).isZero();
    }

    @Test
    void stepsRecordedBeforeTheKillNeverRunAgainAndTheOneInFlightDoes() throws IOException {
        List<String> outside = Files.readAllLines(folder.resolve(Shop.OUTSIDE));

        assertThat(outside).extracting(line -> line.replaceAll(" by process.*", ""))
                .containsExactly("reserve", "charge", "ship", "ship", "thank");
        assertThat(outside.get(2)).as("two processes have run it").isNotEqualTo(outside.get(3));
    }

    @Test
    void ledgersShowWhatTheKillLeftBehindAndWhatBecameOfIt() {
        List<String> lines = printed.lines().toList();
        int kill =
                lines.indexOf(lines.stream().filter(line -> line.startsWith("  kill -9 ")).findFirst().orElseThrow());
        List<String> before = lines.subList(kill, kill + 8);
        List<String> after = lines.subList(lines.indexOf("What is in the file now"), lines.size());

        assertThat(before).anyMatch(line -> line.startsWith("  charge    " + FINAL))
                .anyMatch(line -> line.startsWith("  ship      -                no record"))
                .anyMatch(line -> line.startsWith("  thank     -"));
        assertThat(after).anyMatch(line -> line.startsWith("  ship      " + FINAL))
                .anyMatch(line -> line.startsWith("  thank     " + FINAL));
        assertThat(printed).contains("order-42 is complete");
    }

    @Test
    void whatIsPrintedFitsATerminalAndHasNoColoursInIt() {
        assertThat(printed.lines().filter(line -> !line.contains(folder.toString())))
                .allMatch(line -> line.length() <= 80)
                .noneMatch(line -> line.contains("\u001b") || line.contains("@|"));
    }

    @Test
    void querySaysWhatTheDemoSays() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sqlite3")), "no sqlite3 here");
        String query = Demo.query(folder.resolve(Shop.FILE));

        assertThat(printed).contains(query);
        Process shell = new ProcessBuilder("bash", "-c", query).redirectErrorStream(true).start();
        String answer = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(answer).isZero();
        assertThat(answer.lines()).contains("ship|" + FINAL + "|", "charge|" + FINAL + "|");
    }

    @Test
    void fileOfAnEarlierDemoIsLeftAlone() {
        StringWriter err = new StringWriter();

        assertThat(Main.command().setErr(new PrintWriter(err)).execute("demo", "--folder", folder.toString()))
                .isEqualTo(4);
        assertThat(err.toString()).contains("name another folder");
    }

    @Test
    void digitsInWords() {
        assertThat(Remains.inWords(ActivityLedger.parse("001000000000000"))).startsWith("asked for");
        assertThat(Remains.inWords(ActivityLedger.parse("001100000000000"))).startsWith("begun");
        assertThat(Remains.inWords(ActivityLedger.parse(FINAL))).contains("never runs again");
        assertThat(Remains.inWords(ActivityLedger.parse("201100000000000"))).startsWith("given up");
    }
}
