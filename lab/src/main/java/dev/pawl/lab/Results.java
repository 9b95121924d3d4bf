package dev.pawl.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A ledger of long runs: one line each, never rewritten. */
public record Results(Path file, String columns) {

    public void append(String commit, Object... values) {
        String line = Stream.concat(Stream.of(LocalDate.now(ZoneOffset.UTC), commit), Stream.of(values))
                .map(value -> value instanceof Double number ? String.format(Locale.ROOT, "%.0f", number)
                        : value.toString())
                .collect(Collectors.joining(","));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            if (Files.notExists(file)) {
                Files.writeString(file, "date,commit," + columns + "\n");
            }
            Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
