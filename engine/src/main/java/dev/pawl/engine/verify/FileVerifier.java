package dev.pawl.engine.verify;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a file is there, and whole. One that is not there has not been written. One that is there but is not what it should be, by
 * its SHA-256 or its size, may be half of it or something else: indeterminate, so it is neither taken for the effect nor written over.
 *
 * <p>A writer that makes a file beside it and moves it into place leaves no halves.
 *
 * @param <I> what the activity is given
 * @param <O> what it comes to
 */
public final class FileVerifier<I extends @Nullable Object, O extends @Nullable Object>
        implements
        Activity.Verifier<I, O> {

    private static final int BUFFER_BYTES = 64 * 1024;

    private final Place<I> place;
    private final Check<I> check;
    private final Result<O> result;

    /** Where the file of a key is. */
    @FunctionalInterface
    public interface Place<I extends @Nullable Object> {

        Path of(String key, I input);
    }

    /** What the file is to be like. */
    @FunctionalInterface
    public interface Expected<I extends @Nullable Object, E> {

        E of(I input);
    }

    /** Makes a result of a file that is whole. */
    @FunctionalInterface
    public interface Result<O extends @Nullable Object> {

        O of(Path file) throws Exception;
    }

    private interface Check<I extends @Nullable Object> {

        boolean whole(Path file, I input) throws IOException;
    }

    private FileVerifier(Place<I> place, Check<I> check, Result<O> result) {
        this.place = place;
        this.check = check;
        this.result = result;
    }

    /** By its SHA-256, in hexadecimal digits. */
    public static <I extends @Nullable Object, O extends @Nullable Object> FileVerifier<I, O> sha256(Place<I> place,
            Expected<I, String> expected, Result<O> result) {
        return new FileVerifier<>(place,
                (file, input) -> sha256(file).equals(expected.of(input).toLowerCase(Locale.ROOT)), result);
    }

    /** By its size alone, in bytes: quicker, and less sure. */
    public static <I extends @Nullable Object, O extends @Nullable Object> FileVerifier<I, O> size(Place<I> place,
            Expected<I, Long> expected, Result<O> result) {
        return new FileVerifier<>(place, (file, input) -> Files.size(file) == expected.of(input), result);
    }

    /** A name for the file of a key: two keys never share one, and none leads out of its folder. */
    public static String fileName(String key) {
        StringBuilder name = new StringBuilder();
        for (char c : URLEncoder.encode(key, StandardCharsets.UTF_8).toCharArray()) {
            // Some file systems do not tell a from A.
            name.append(Character.isUpperCase(c) ? "=" + c : c == '.' ? "%2e" : c == '*' ? "%2a" : String.valueOf(c));
        }
        return name.toString();
    }

    @Override
    public Verified<O> verify(String key, I input) {
        Path file = place.of(key, input);
        try {
            if (!check.whole(file, input)) {
                return new Verified.Indeterminate<>("a file is there, but not the one it should be");
            }
        } catch (NoSuchFileException e) {
            return new Verified.NotCompleted<>();
        } catch (IOException e) {
            return new Verified.Indeterminate<>("the file could not be read: " + e.getClass().getSimpleName());
        }
        try {
            return new Verified.Completed<>(result.of(file));
        } catch (Exception e) {
            return new Verified.ResultUnavailable<>(
                    "the file is there, but what it came to is not: " + e.getClass().getSimpleName());
        }
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sha.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
