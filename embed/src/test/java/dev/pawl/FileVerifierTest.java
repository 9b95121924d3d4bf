package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.verify.FileVerifier;
import dev.pawl.testkit.contract.VerifierContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verifier that looks at files, against the contract of all verifiers. */
class FileVerifierTest extends VerifierContract<Integer, String> {

    @TempDir
    Path folder;

    private Path file(String key) {
        return folder.resolve(FileVerifier.fileName(key));
    }

    private static byte[] content(Integer input) {
        return ("report " + input).getBytes(StandardCharsets.UTF_8);
    }

    private static String sha256(Integer input) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content(input)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Activity.Verifier<Integer, String> verifier() {
        return FileVerifier.sha256((key, input) -> file(key), FileVerifierTest::sha256, Files::readString);
    }

    @Override
    protected String perform(String key, Integer input) throws IOException {
        Path beside = Files.createTempFile(folder, "new", null);
        Files.write(beside, content(input));
        Files.move(beside, file(key), StandardCopyOption.ATOMIC_MOVE);
        return "report " + input;
    }

    @Override
    protected Integer input(int n) {
        return n;
    }

    @Test
    void halfAFileIsNeitherThereNorMissing() throws Exception {
        Files.writeString(file("half"), "repo");
        assertThat(verifier().verify("half", 7)).isInstanceOf(Verified.Indeterminate.class);
        assertThat(FileVerifier.<Integer, String>size((key, input) -> file(key), input -> (long) content(input).length,
                Files::readString).verify("half", 7)).isInstanceOf(Verified.Indeterminate.class);
        Files.createDirectory(file("folder"));
        assertThat(verifier().verify("folder", 7)).isInstanceOf(Verified.Indeterminate.class);
    }

    @Test
    void sizeIsEnoughWhereItHasToBe() throws Exception {
        perform("whole", 7);
        assertThat(FileVerifier.<Integer, String>size((key, input) -> file(key), input -> (long) content(input).length,
                Files::readString).verify("whole", 7)).isEqualTo(new Verified.Completed<>("report 7"));
        assertThat(FileVerifier.fileName("../a").contains("/")).isFalse();
        assertThat(FileVerifier.fileName("a")).isNotEqualToIgnoringCase(FileVerifier.fileName("A"));
    }
}
