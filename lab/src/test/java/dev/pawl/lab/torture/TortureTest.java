package dev.pawl.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few cycles of each kind; "./build torture" runs as many as one likes. */
class TortureTest {

    @TempDir
    private Path folder;

    /** One line about it goes to the results, unless it could not be done here. */
    private String run(String kind, int cycles, String... more) throws Exception {
        Path results = folder.resolve("torture.csv");
        String[] arguments = {kind, "--cycles", Integer.toString(cycles), "--seed", "7", "--folder", folder.toString(),
            "--results", results.toString()};
        String[] all = Stream.concat(Stream.of(arguments), Stream.of(more))
                .toArray(String[]::new);

        assertThat(Torture.run(all)).isZero();

        return Files.exists(results) ? Files.readString(results) : "";
    }

    @Test
    void killedEngineKeepsItsPromises() throws Exception {
        assertThat(run("kill", 3)).matches("(?s)date,commit,kind,store,cycles,violations\n.*,kill,sqlite,3,0\n");
    }

    @Test
    void failingDiskIsSurvived() throws Exception {
        assertThat(run("disk", 1)).matches("(?s)(.*,disk,sqlite,1,0\n)?");
    }

    @Test
    void rivalOfAnEngineThatStandsStillIsRefused() throws Exception {
        assertThat(run("zombie", 1, "--store", "sqlite")).contains(",zombie,sqlite,1,0\n");
    }
}
