package dev.pawl.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many open workflows after a kill: the first goes on soon, all go on, and a small heap is enough. */
@Tag("timing")
class RecoverTest {

    private static final int WORKFLOWS = Integer.getInteger("pawl.recover.workflows", 3_000);
    /** A second on a machine that does nothing else; here other tests may run beside it. */
    private static final int FIRST_MILLIS_MAX = 5_000;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void openWorkflowsGoOnAfterAKillWithASmallHeap() throws Exception {
        int code = Main.command().execute("bench", "recover", "--workflows", String.valueOf(WORKFLOWS), "--heap", "64m",
                "--results", folder.toString());
        assertThat(code).isZero();
        List<String> lines = Files.readAllLines(folder.resolve("recovery.csv"));
        assertThat(lines).hasSize(3);
        for (String line : lines.subList(1, 3)) {
            String[] columns = line.split(",", -1);
            assertThat(Integer.parseInt(columns[6])).as(line).isLessThan(FIRST_MILLIS_MAX);
        }
    }
}
