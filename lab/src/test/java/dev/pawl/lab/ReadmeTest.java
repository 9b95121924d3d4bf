package dev.pawl.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
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
    private String command = "";
    private String promised = "";

    @BeforeEach
    void read() throws IOException {
        readme = Files.readString(ROOT.resolve("README.md"));
        command = found("```\n(java [^\n]*)\n```");
        promised = found("It prints `([^`]*)`");
    }

    private String found(String pattern) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(readme);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    /** Writes the class into a folder of its own, with what the command needs of the README's folder. */
    private void write(String code) throws IOException {
        Files.writeString(folder.resolve("Shop.java"), code);
        Path resolved = Files.createDirectories(folder.resolve("postgres/target")).resolve("classpath");
        Files.copy(ROOT.resolve("postgres/target/classpath"), resolved);
    }

    @Test
    void quickStartRunsAsItIsPrintedAndNothingRunsTwice() throws Exception {
        String code = found("```java\n(.*?)```");
        assertThat(code.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(LINES_MAX);
        write(code);

        assertThat(run(command)).isEqualTo(promised + "\n");
        long transitions = transitions();
        assertThat(run(command)).as("a second time").isEqualTo(promised + "\n");
        assertThat(transitions()).as("what the file has been through").isEqualTo(transitions);
    }

    @Test
    void smallerDependencyIsEnoughForAFile() throws Exception {
        write(found("```java\n(.*?)```"));
        String brought = ROOT.resolve("embed/target/classes").toRealPath() + ":"
                + Files.readString(ROOT.resolve("embed/target/classpath")).strip();

        assertThat(run(command.replaceAll("\"\\$\\(.*\\)\"", Matcher.quoteReplacement(brought))))
                .isEqualTo(promised + "\n");
    }

    @Test
    void withPostgresItTakesTheUrlAndNoFlag() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on").setServerConfig("full_page_writes", "on").start()) {
            String url =
                    found("The URL in the code: `([^`]*)`").replace("localhost/shop", "localhost:" + server.getPort()
                            + "/postgres").replace("user=shop&password=secret", "user=postgres&password=postgres");
            write(found("```java\n(.*?)```").replace("jdbc:sqlite:shop.db", url));

            assertThat(run(command.replace("--enable-native-access=ALL-UNNAMED ", ""))).isEqualTo(promised + "\n");
        }
    }

    /** What a command prints, which must end well and write nothing to standard error. */
    private String run(String line) throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        // A folder of its own for the driver: in a common one it complains of libraries that other processes delete. It runs for a moment.
        String isolated = line.replaceFirst("^java ",
                "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dorg.sqlite.tmpdir=. ");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", isolated).directory(folder.toFile())
                .redirectError(errors.toFile());
        shell.environment().merge("PATH", Path.of(System.getProperty("java.home"), "bin").toString(),
                (path, java) -> java + File.pathSeparator + path);
        Process process = shell.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        assertThat(Files.readString(errors)).as("standard error").isEmpty();
        assertThat(code).isZero();
        return printed;
    }

    private long transitions() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select max(e.number) from event e"
                        + " join workflow w on w.workflow_no = e.workflow_no where w.workflow_id = 'order-42'")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    @Test
    void dependenciesAreTheOnesThatAreBuilt() throws IOException {
        String embed = Files.readString(ROOT.resolve("embed/pom.xml"));
        String parent = Files.readString(ROOT.resolve("pom.xml"));

        assertThat(embed).contains("<artifactId>" + found("<artifactId>([^<]*)</artifactId>") + "</artifactId>");
        assertThat(parent).contains("<groupId>" + found("<groupId>([^<]*)</groupId>") + "</groupId>",
                "<version>" + found("<version>([^<]*)</version>") + "</version>");
        assertThat(Files.readString(ROOT.resolve("postgres/pom.xml")))
                .contains("<artifactId>" + found("The dependency `dev.pawl:([^`]*)`") + "</artifactId>");
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
