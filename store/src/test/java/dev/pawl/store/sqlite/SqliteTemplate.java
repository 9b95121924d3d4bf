package dev.pawl.store.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that has its tables already: to copy one is much cheaper than to migrate one. */
final class SqliteTemplate {

    private static @Nullable Path template;

    private SqliteTemplate() {
    }

    /** If there is no file yet. */
    static void copyTo(Path file) {
        try {
            if (Files.notExists(file)) {
                Files.copy(template(), file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized Path template() throws IOException {
        if (template == null) {
            Path file = Files.createTempDirectory("pawl-template").resolve("template.db");
            SqliteStore.open(file).close();
            template = file;
        }
        return template;
    }
}
