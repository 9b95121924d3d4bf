package dev.pawl.lab.bench;

import dev.pawl.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The SQLite store in one file, as a user gets it. */
record SqliteSubject(Path folder) implements Subject {

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public Trial fresh(List<Recording> recordings) {
        Path file = folder.resolve("sqlite.db");
        return new StoreTrial(SqliteStore.open(file), recordings) {

            private final long writtenBefore = writtenByProcess();

            @Override
            public long bytesOnDisk() {
                return size(file) + size(beside(file, "-wal"));
            }

            @Override
            public long bytesWritten() {
                return writtenByProcess() - writtenBefore;
            }

            @Override
            public void close() {
                super.close();
                Stream.of("", "-wal", "-shm", ".lock").forEach(suffix -> delete(beside(file, suffix)));
            }
        };
    }

    static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By Linux's account; 0 where there is none. The rest of this process hardly writes while a store is measured. */
    static long writtenByProcess() {
        Path account = Path.of("/proc/self/io");
        try (Stream<String> lines = Files.exists(account) ? Files.lines(account) : Stream.empty()) {
            return lines.filter(line -> line.startsWith("wchar: "))
                    .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length()))).findFirst().orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
    }
}
