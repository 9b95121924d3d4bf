package dev.pawl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/GUARANTEES.md claims nothing without a test. */
class GuaranteesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`");
    private static final Pattern PROMISE = Pattern.compile("(?m)^\\| \\*\\*(P[1-9])\\*\\* \\|.*$");

    @Test
    void everyTestItNamesExists() {
        Map<String, String> sources = sources();
        List<String> missing = NAMED_TEST.matcher(guarantees()).results()
                .filter(named -> !sources.getOrDefault(named.group(1), "").contains(" void " + named.group(2) + "("))
                .map(named -> named.group(1) + "." + named.group(2))
                .toList();

        assertThat(missing).isEmpty();
    }

    @Test
    void everyPromiseNamesATestOrSaysThatNothingIsShown() {
        List<String> rows = PROMISE.matcher(guarantees()).results().map(row -> row.group()).toList();

        assertThat(rows).hasSize(9).allMatch(
                row -> NAMED_TEST.matcher(row).find() || row.contains("| all of it |"));
    }

    private static String guarantees() {
        return read(ROOT.resolve("docs/GUARANTEES.md"));
    }

    private static Map<String, String> sources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.getFileName().toString().matches("\\w+(Test|Contract)\\.java"))
                    .collect(Collectors.toMap(file -> file.getFileName().toString().replace(".java", ""),
                            GuaranteesTest::read, (one, other) -> one + other));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
