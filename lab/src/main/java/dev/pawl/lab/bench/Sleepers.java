package dev.pawl.lab.bench;

import dev.pawl.lab.bench.OpenEngine.Begun;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.ObjectName;

/** Puts many workflows to sleep, and looks at what each of them costs. */
final class Sleepers {

    private static final int CLIENTS = 256;
    private static final int LOOKED_AFTER = 5_000;
    private static final int TICK_MILLIS = 5;
    private static final int SETTLE_MILLIS = 50;
    private static final int LINES_SHOWN = 12;

    private Sleepers() {
    }

    /**
     * What each of them takes.
     *
     * @param heapBytes after a collection, while the engine is open
     * @param diskBytes when it has gone
     * @param seconds until all were asleep
     */
    record Slept(double heapBytes, double diskBytes, double seconds) {
    }

    /**
     * Puts workflows to sleep on an empty ground.
     *
     * @param contents gets what is on the heap and on the disk, largest first
     */
    static Slept measure(Contender contender, Ground ground, int count, Extent extent, Runnable progress,
            Consumer<String> contents) throws InterruptedException {
        contender.prepare(ground);
        long diskBefore = ground.bytesOnDisk();
        long heapBefore = heapBytes();
        double seconds;
        double heap;
        try (OpenEngine engine = contender.open(ground, extent)) {
            seconds = start(engine, 0, count, progress);
            heap = (heapBytes() - heapBefore) / (double) count;
            histogram().forEach(contents);
        }
        double disk = (ground.bytesOnDisk() - diskBefore) / (double) count;
        ground.contents().stream().limit(LINES_SHOWN).forEach(contents);
        return new Slept(heap, disk, seconds);
    }

    /**
     * Starts those with the numbers from one up to but not including another, and returns when they are asleep: how many seconds that
     * took. Of many, only some are asked for it, and all of those that were started last.
     */
    static double start(OpenEngine engine, int from, int to, Runnable progress) throws InterruptedException {
        long began = System.nanoTime();
        int stride = Math.max(1, (to - from) / LOOKED_AFTER);
        AtomicInteger next = new AtomicInteger(from);
        Queue<Begun> lookedAfter = new ConcurrentLinkedQueue<>();
        Together.run(Math.min(CLIENTS, Math.max(1, to - from)), none -> {
            for (int number = next.getAndIncrement(); number < to; number = next.getAndIncrement()) {
                Begun begun = engine.start(FlowWorkload.W5, number);
                if (number % stride == 0 || number >= to - LOOKED_AFTER) {
                    lookedAfter.add(begun);
                }
                progress.run();
            }
        });
        Together.run(Math.min(CLIENTS, lookedAfter.size()), none -> {
            for (Begun begun = lookedAfter.poll(); begun != null; begun = lookedAfter.poll()) {
                while (begun.durableSteps() < FlowWorkload.W5.steps(0)) {
                    Thread.sleep(TICK_MILLIS);
                }
            }
        });
        return (System.nanoTime() - began) / 1e9;
    }

    static long heapBytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(SETTLE_MILLIS);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** What is alive on the heap, largest first. */
    private static List<String> histogram() {
        try {
            String all = (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                    new Object[] {new String[0]}, new String[] {String[].class.getName()});
            return all.lines().limit(LINES_SHOWN + 2L).toList();
        } catch (JMException e) {
            return List.of("this Java cannot tell what is on its heap: " + e.getMessage());
        }
    }
}
