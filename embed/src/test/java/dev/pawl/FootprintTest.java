package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code dev.pawl:pawl} brings into an application, as Maven has resolved it. */
class FootprintTest {

    /** Less than these: every application that embeds Pawl carries them. */
    private static final int JARS = 25;
    private static final long BYTES = 20_000_000;

    private List<Path> brought = List.of();

    @BeforeEach
    void read() throws IOException {
        String resolved = Files.readString(Path.of("target", "classpath"));
        brought = Stream.concat(Stream.of(Path.of("target", "classes")),
                Stream.of(resolved.strip().split(File.pathSeparator, -1)).map(Path::of)).toList();
    }

    @Test
    void oneDependencyIsFewJarsAndMegabytes() {
        assertThat(brought).as("jars").hasSizeLessThan(JARS).anyMatch(each -> named(each, "sqlite-jdbc-"));
        assertThat(brought.stream().mapToLong(FootprintTest::bytes).sum()).as("bytes").isLessThan(BYTES);
    }

    @Test
    void nothingOfPostgresAndNoLoggingComesWithIt() {
        assertThat(brought).noneMatch(each -> named(each, "postgresql-") || named(each, "flyway-database-")
                || named(each, "HikariCP-") || named(each, "slf4j-"));
    }

    private static boolean named(Path path, String beginning) {
        return path.getFileName().toString().startsWith(beginning);
    }

    /** Of a jar, or of the classes it is made of. */
    private static long bytes(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            return files.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
