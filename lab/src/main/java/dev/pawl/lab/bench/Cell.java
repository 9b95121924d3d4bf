package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One measurement: a subject, a workload, a number of shards, a size of batches. A thread for each shard commits one batch after
 * the other, until the time is up or one of them has nothing left.
 */
final class Cell {

    /** So much of the recording, or so much of the time before the clock starts, is for warming up. */
    private static final int WARM_UP_PART = 4;

    private final Trial trial;
    private final List<List<List<Bundle>>> batchesByShard;
    private final Duration time;
    private volatile boolean over;

    private Cell(Trial trial, List<Recording> recordings, int batch, Duration time) {
        this.trial = trial;
        this.batchesByShard = recordings.stream().map(recording -> recording.batches(batch)).toList();
        this.time = time;
    }

    private record Part(int transitions, long transitionsCounted, LongStream commitNanos, double seconds,
            long cpuNanos) {
    }

    static Measured measure(Subject subject, List<Recording> recordings, int batch, Duration time)
            throws InterruptedException {
        try (Trial trial = subject.fresh(recordings)) {
            return new Cell(trial, recordings, batch, time).run();
        }
    }

    private Measured run() throws InterruptedException {
        long bytesBefore = trial.bytesOnDisk();
        long writtenBefore = trial.bytesWritten();
        List<Part> parts = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(batchesByShard.size())) {
            List<Future<Part>> running = IntStream.range(0, batchesByShard.size())
                    .mapToObj(shard -> threads.submit(() -> commit(shard))).toList();
            for (Future<Part> part : running) {
                parts.add(part.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        double transitions = parts.stream().mapToInt(Part::transitions).sum();
        double counted = parts.stream().mapToLong(Part::transitionsCounted).sum();
        long[] nanos = parts.stream().flatMapToLong(Part::commitNanos).sorted().toArray();
        return new Measured(parts.stream().mapToDouble(part -> part.transitionsCounted() / part.seconds()).sum(),
                at(nanos, 0.50), at(nanos, 0.99), parts.getFirst().cpuNanos() / 1e3 / counted,
                (trial.bytesOnDisk() - bytesBefore) / transitions,
                (trial.bytesWritten() - writtenBefore) / transitions);
    }

    /** Of all threads of Java, those of its compiler and its garbage collector left out. */
    private static long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getAllThreadIds()).map(threads::getThreadCpuTime).filter(nanos -> nanos > 0).sum();
    }

    private static double at(long[] sortedNanos, double share) {
        return sortedNanos[(int) Math.min(sortedNanos.length - 1, Math.round(sortedNanos.length * share))] / 1e6;
    }

    private Part commit(int shard) {
        List<List<Bundle>> batches = batchesByShard.get(shard);
        LongStream.Builder nanos = LongStream.builder();
        long began = System.nanoTime();
        int warm = 0;
        while (!over && warm < batches.size() / WARM_UP_PART
                && System.nanoTime() - began < time.toNanos() / WARM_UP_PART) {
            trial.commit(shard, batches.get(warm++));
        }
        int next = warm;
        int transitions = 0;
        long cpuFrom = cpuNanos();
        long from = System.nanoTime();
        long before = from;
        do {
            List<Bundle> batch = batches.get(next++ % batches.size());
            trial.commit(shard, batch);
            long after = System.nanoTime();
            nanos.add(after - before);
            before = after;
            transitions += batch.size();
            if (after - from >= time.toNanos() || (next == batches.size() && !trial.takesAnything())) {
                over = true;
            }
        } while (!over);
        int all = transitions + batches.subList(0, warm).stream().mapToInt(List::size).sum();
        return new Part(all, transitions, nanos.build(), (before - from) / 1e9,
                cpuNanos() - cpuFrom);
    }
}
