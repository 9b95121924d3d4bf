package dev.pawl.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Clients at work, each on a virtual thread of its own. */
final class Together {

    private Together() {
    }

    /** What one client does, and the times it notes. */
    interface Client {

        void run(List<Long> noted) throws InterruptedException;
    }

    /** Runs so many at once; gives what they noted. What one of them throws ends it all. */
    static List<Long> run(int count, Client client) throws InterruptedException {
        List<Long> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Long>>> running = IntStream.range(0, count).mapToObj(number -> threads.submit(() -> {
                List<Long> noted = new ArrayList<>();
                client.run(noted);
                return noted;
            })).toList();
            try {
                for (Future<List<Long>> each : running) {
                    all.addAll(each.get());
                }
            } catch (ExecutionException e) {
                threads.shutdownNow();
                throw new IllegalStateException(e.getCause());
            }
        }
        return all;
    }
}
