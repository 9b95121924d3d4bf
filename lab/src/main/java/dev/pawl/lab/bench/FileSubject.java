package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What the disk itself can do: the content of a batch is appended to a file of the shard's own, and synced. */
record FileSubject(Path folder) implements Subject {

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Trial fresh(List<Recording> recordings) {
        return new Appending(folder, recordings);
    }

    @Override
    public void close() {
    }

    private static final class Appending implements Trial {

        private final List<Path> paths = new ArrayList<>();
        private final List<FileChannel> channels = new ArrayList<>();
        private final int bytesPerTransition;
        private final ByteBuffer content;

        Appending(Path folder, List<Recording> recordings) {
            bytesPerTransition = recordings.getFirst().bytesPerTransition();
            content = ByteBuffer.allocateDirect(bytesPerTransition * Recording.BATCH_MAX);
            try {
                for (int shard = 0; shard < recordings.size(); shard++) {
                    Path path = folder.resolve("file-" + shard);
                    paths.add(path);
                    channels.add(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void commit(int shard, List<Bundle> batch) {
            try {
                FileChannel channel = channels.get(shard);
                ByteBuffer bytes = content.slice(0, bytesPerTransition * batch.size());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean takesAnything() {
            return true;
        }

        @Override
        public long bytesOnDisk() {
            long bytes = 0;
            for (FileChannel channel : channels) {
                try {
                    bytes += channel.size();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return bytes;
        }

        @Override
        public long bytesWritten() {
            return bytesOnDisk();
        }

        @Override
        public void close() {
            try {
                for (FileChannel channel : channels) {
                    channel.close();
                }
                for (Path path : paths) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
