package dev.pawl.lab.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes new databases, in one folder and on one server. Closing it leaves nothing behind, except for a folder that was there. */
final class Grounds implements AutoCloseable {

    private final Path folder;
    private final boolean own;
    private @Nullable EmbeddedPostgres server;
    private int databases;

    /** Where stores may be. */
    enum Kind {
        SQLITE, POSTGRES
    }

    /**
     * Makes nothing yet.
     *
     * @param folder where to write; null for a new one where temporary files go
     */
    Grounds(@Nullable Path folder) {
        try {
            this.folder = folder == null ? Files.createTempDirectory("pawl-bench-") : Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.own = folder == null;
    }

    Path folder() {
        return folder;
    }

    Ground fresh(Kind kind) {
        return switch (kind) {
            case SQLITE -> new SqliteGround(folder);
            case POSTGRES -> {
                if (server == null) {
                    server = PostgresGround.server(folder);
                }
                yield new PostgresGround(server, "flows_" + ++databases);
            }
        };
    }

    @Override
    public void close() {
        try {
            if (server != null) {
                server.close();
            }
            if (own) {
                delete();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void delete() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
