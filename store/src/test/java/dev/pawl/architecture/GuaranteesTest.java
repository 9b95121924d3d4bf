package dev.pawl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/GUARANTEES.md and docs/CONTRACT.md claim nothing without a test. */
class GuaranteesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`");
    private static final Pattern PROMISE = Pattern.compile("(?m)^\\| \\*\\*(P[1-9])\\*\\* \\|.*$");

    /** How many rows each table of clauses has: as many as the contract has rows there, or sentences with "must". */
    private static final Map<String, Integer> CLAUSES = new TreeMap<>(Map.ofEntries(
            Map.entry("Sentences of the introduction", 1),
            Map.entry("Key scope", 4),
            Map.entry("Effect record", 10),
            Map.entry("Verify states", 4),
            Map.entry("Outcome matrix", 9),
            Map.entry("Sentences about activities", 6),
            Map.entry("Signal scope", 3),
            Map.entry("Validation rules", 4),
            Map.entry("Acceptance record", 8),
            Map.entry("Accepted result", 6),
            Map.entry("Signal crash windows", 5),
            // One more than there are sentences with "must": the fault is described without the word.
            Map.entry("Sentences about signals", 11),
            Map.entry("Deployment classes", 3),
            Map.entry("Sentences about ownership", 9),
            Map.entry("Rolling upgrade", 6),
            Map.entry("Sentences about formats", 4),
            Map.entry("Sentences about stores", 3)));

    /** A row of a table of clauses. */
    private record Clause(String section, List<String> cells) {

        String text() {
            return section + ": " + cells.getFirst();
        }

        List<String> tests() {
            return NAMED_TEST.matcher(cells.get(2)).results().map(MatchResult::group).toList();
        }
    }

    @Test
    void everyTestItNamesExists() {
        assertThat(missing(guarantees())).isEmpty();
        assertThat(missing(contract())).isEmpty();
    }

    private static List<String> missing(String page) {
        Map<String, String> sources = sources();
        return NAMED_TEST.matcher(page).results()
                .filter(named -> !sources.getOrDefault(named.group(1), "").contains(" void " + named.group(2) + "("))
                .map(named -> named.group(1) + "." + named.group(2))
                .toList();
    }

    @Test
    void noClauseIsLost() {
        Map<String, Integer> rows = new TreeMap<>();
        clauses().forEach(clause -> rows.merge(clause.section(), 1, Integer::sum));

        assertThat(rows).isEqualTo(CLAUSES);
        assertThat(clauses()).extracting(Clause::text).doesNotHaveDuplicates();
    }

    /** Nothing but names of tests may stand where the tests stand, so that none is left out by a slip of the pen. */
    @Test
    void everyClauseNamesTestsThatExist() {
        assertThat(clauses()).isNotEmpty().allSatisfy(clause -> {
            assertThat(clause.cells()).as(clause.text()).hasSize(4).noneMatch(String::isBlank);
            assertThat(clause.tests()).as(clause.text()).isNotEmpty();
            assertThat(String.join(", ", clause.tests())).as(clause.text()).isEqualTo(clause.cells().get(2));
            assertThat(missing(clause.cells().get(2))).as(clause.text()).isEmpty();
            assertThat(clause.cells().get(3)).as(clause.text()).isIn("\u2013", "with the server");
        });
    }

    private static List<Clause> clauses() {
        List<Clause> clauses = new ArrayList<>();
        String section = "";
        for (String line : contract().lines().toList()) {
            if (line.startsWith("#")) {
                section = line.startsWith("### ") ? line.substring(4) : "";
            } else if (line.startsWith("|") && !section.isEmpty() && !line.startsWith("|---")
                    && !line.startsWith("| clause |")) {
                List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
                clauses.add(new Clause(section, cells.subList(1, cells.size() - 1)));
            }
        }
        return clauses;
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

    private static String contract() {
        return read(ROOT.resolve("docs/CONTRACT.md"));
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
