package dev.pawl.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A few cycles of each kind that needs a server. */
@Execution(ExecutionMode.CONCURRENT)
class PgTortureTest {

    @TempDir
    private Path folder;

    private String run(String kind, int cycles) throws Exception {
        Path results = folder.resolve("torture.csv");

        assertThat(Torture.run(kind, "--cycles", Integer.toString(cycles), "--seed", "7", "--folder", folder.toString(),
                "--results", results.toString())).isZero();

        return Files.readString(results);
    }

    @Test
    void crashOfTheServerIsSurvived() throws Exception {
        assertThat(run("restart", 2)).contains(",restart,postgres,2,0\n");
    }

    @Test
    void zombieChangesNothing() throws Exception {
        assertThat(run("zombie", 2)).contains(",zombie,postgres,2,0\n");
    }

    @Test
    void lostAnswersChangeNothing() throws Exception {
        assertThat(run("proxy", 2)).contains(",proxy,postgres,2,0\n");
    }
}
