package dev.pawl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/GUARANTEES.md and docs/CONTRACT.md claim nothing without a test, and CONTRACT.md answers every clause of the specifications:
 * those are written out, with an id each, in docs/contract-clauses.txt.
 */
class GuaranteesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`");
    private static final Pattern PROMISE = Pattern.compile("(?m)^\\| \\*\\*(P\\d+)\\*\\* \\|.*$");
    private static final Pattern CLAUSE = Pattern.compile("([a-z]+(?:-[a-z]+)*-\\d+)  (\\S.*)");
    private static final String NOT_SHOWN = "not shown: ";

    private static final Pattern TEST = Pattern.compile("@(Test|ParameterizedTest|RepeatedTest)\\b");

    private static final Map<String, String> SOURCES = sources();

    /** A row of docs/CONTRACT.md. */
    private record Answer(List<String> cells) {

        String id() {
            return cells.getFirst();
        }

        String shownBy() {
            return cells.get(3);
        }
    }

    @Test
    void everyTestItNamesExists() {
        assertThat(missing(guarantees())).isEmpty();
        assertThat(missing(contract())).isEmpty();
    }

    private static List<String> missing(String page) {
        return NAMED_TEST.matcher(page).results().filter(named -> !isTest(named.group(1), named.group(2)))
                .map(named -> named.group(1) + "." + named.group(2)).distinct().toList();
    }

    /** A helper method of a test class shows nothing: between the method before and this one there has to be the annotation. */
    private static boolean isTest(String type, String method) {
        String source = SOURCES.getOrDefault(type, "");
        int place = source.indexOf(" void " + method + "(");
        return place >= 0 && TEST.matcher(source.substring(Math.max(0, source.lastIndexOf(" void ", place - 1)), place))
                .find();
    }

    @Test
    void everyClauseHasAnIdOfItsOwnAndItsText() {
        List<String> lines = clauseLines();

        assertThat(lines).isNotEmpty().allMatch(line -> CLAUSE.matcher(line).matches());
        assertThat(clauses()).doesNotHaveDuplicates();
        assertThat(lines.stream().map(line -> line.replaceFirst("\\S+ +", "")).toList())
                .as("a clause that stands there twice was meant to be two").filteredOn(text -> text.length() > 80)
                .doesNotHaveDuplicates();
    }

    @Test
    void everyClauseIsAnswered() {
        List<String> answered = answers().stream().map(Answer::id).toList();

        assertThat(answered).containsExactlyInAnyOrderElementsOf(clauses());
    }

    /** Nothing but names of tests may stand where the tests stand, so that none is left out by a slip of the pen. */
    @Test
    void everyAnswerNamesTestsOrSaysThatNothingIsShown() {
        assertThat(answers()).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.cells()).as(answer.id()).hasSize(5).noneMatch(String::isBlank);
            assertThat(answer.cells().get(4)).as(answer.id()).isIn("\u2013", "with the server");
            if (answer.shownBy().startsWith(NOT_SHOWN)) {
                assertThat(answer.shownBy()).as(answer.id()).hasSizeGreaterThan(NOT_SHOWN.length())
                        .doesNotContain("`");
            } else {
                List<String> tests = NAMED_TEST.matcher(answer.shownBy()).results().map(MatchResult::group).toList();
                assertThat(tests).as(answer.id()).isNotEmpty();
                assertThat(String.join(", ", tests)).as(answer.id()).isEqualTo(answer.shownBy());
                assertThat(missing(answer.shownBy())).as(answer.id()).isEmpty();
            }
        });
    }

    @Test
    void everyPromiseNamesATestOrSaysThatNothingIsShown() {
        List<MatchResult> rows = PROMISE.matcher(guarantees()).results().toList();

        assertThat(rows).extracting(row -> row.group(1))
                .containsExactly("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9");
        assertThat(rows).extracting(MatchResult::group)
                .allMatch(row -> NAMED_TEST.matcher(row).find() || row.contains("| all of it |"));
    }

    private static List<String> clauseLines() {
        return read(ROOT.resolve("docs/contract-clauses.txt")).lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }

    private static List<String> clauses() {
        return clauseLines().stream().map(line -> line.split(" ", 2)[0]).toList();
    }

    /** The rows of every table whose first column is the id of a clause. */
    private static List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        boolean inside = false;
        for (String line : contract().lines().toList()) {
            if (!line.startsWith("|")) {
                inside = false;
            } else if (line.startsWith("| id | clause |")) {
                inside = true;
            } else if (inside && !line.startsWith("|---")) {
                List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
                answers.add(new Answer(cells.subList(1, cells.size() - 1)));
            }
        }
        return answers;
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
