package dev.pawl.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README promises to somebody in a hurry, exactly as it is printed there. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..");
    private static final int LINES_MAX = 12;

    @TempDir
    Path folder;

    private String readme = "";

    @BeforeEach
    void read() throws IOException {
        readme = Files.readString(ROOT.resolve("README.md"));
    }

    private String found(String pattern) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(readme);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    @Test
    void quickStartRunsAsItIsPrintedAndNothingRunsTwice() throws Exception {
        String code = found("```java\n(.*?)```");
        String promised = found("It prints `([^`]*)`");
        assertThat(code.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(LINES_MAX);
        Files.writeString(folder.resolve("Shop.java"), code);

        assertThat(run()).isEqualTo(promised + "\n");
        long transitions = transitions();
        assertThat(run()).as("a second time").isEqualTo(promised + "\n");
        assertThat(transitions()).as("what the file has been through").isEqualTo(transitions);
    }

    private String run() throws IOException, InterruptedException {
        Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "Shop.java")
                .directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).isZero();
        return printed;
    }

    private long transitions() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version from workflow where workflow_id = 'order-42'")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    @Test
    void dependencyIsTheOneThatIsBuilt() throws IOException {
        String embed = Files.readString(ROOT.resolve("embed/pom.xml"));
        String parent = Files.readString(ROOT.resolve("pom.xml"));

        assertThat(embed).contains("<artifactId>" + found("<artifactId>([^<]*)</artifactId>") + "</artifactId>");
        assertThat(parent).contains("<groupId>" + found("<groupId>([^<]*)</groupId>") + "</groupId>",
                "<version>" + found("<version>([^<]*)</version>") + "</version>");
    }

    @Test
    void everyExampleAndEveryLinkIsThere() {
        assertThat(Pattern.compile("\\]\\(([^)#]+)\\)").matcher(readme).results().map(match -> match.group(1))
                .filter(link -> !link.startsWith("http"))).isNotEmpty()
                .allMatch(link -> Files.exists(ROOT.resolve(link)));
        Path examples = ROOT.resolve(found("in `(lab/[^`]*/example)`"));
        assertThat(Pattern.compile("`([A-Z]\\w+)` \\(").matcher(readme).results().map(match -> match.group(1)))
                .contains("MoneyTransfer").allMatch(name -> Files.exists(examples.resolve(name + ".java")));
    }
}
