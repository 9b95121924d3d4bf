package dev.pawl.lab.bench;

import dev.pawl.Pawl;
import dev.pawl.engine.flow.Flow;
import dev.pawl.lab.Progress;
import dev.pawl.lab.bench.Grounds.Kind;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts many workflows to sleep, and looks at what each of them costs. */
@Command(name = "sleepers", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Starts many workflows that sleep for an hour, and tells what each takes of heap and disk.")
final class Sleepers implements Callable<Integer> {

    private static final int HEAP_BYTES_MAX = 1_024;
    private static final int DISK_BYTES_MAX = 2_048;
    private static final int CLIENTS = 32;
    private static final int LINES_SHOWN = 12;
    private static final int TICK_MILLIS = 50;

    private static final Flow<Integer, String> SLEEPER = Flow.named("sleeper", Integer.class, String.class,
            (flow, number) -> {
                flow.sleep(Duration.ofHours(1));
                return "rested";
            });

    @Option(names = "--count", description = "how many (default: ${DEFAULT-VALUE})")
    private int count = 100_000;

    @Option(names = "--store", split = ",", description = "sqlite, postgres (default: both)")
    private List<Kind> stores = List.of(Kind.values());

    @Option(names = "--folder", description = "where to write (default: a new one where temporary files go)")
    private @Nullable Path folder;

    @Override
    public Integer call() throws InterruptedException, JMException {
        try (Grounds grounds = new Grounds(folder)) {
            for (Kind store : stores) {
                try (Ground ground = grounds.fresh(store)) {
                    measure(store, ground);
                }
            }
        }
        return 0;
    }

    private void measure(Kind store, Ground ground) throws InterruptedException, JMException {
        ground.open().close();
        long diskBefore = ground.bytesOnDisk();
        long heapBefore = heapBytes();
        long began = System.nanoTime();
        try (Pawl pawl = Pawl.builder().store(ground.open()).shards(ground.shards()).definitions(SLEEPER).open()) {
            start(store, pawl);
            double seconds = (System.nanoTime() - began) / 1e9;
            double heap = (heapBytes() - heapBefore) / (double) count;
            System.out.printf(Locale.ROOT, "%n%d workflows asleep on %s after %.0f s%n", count,
                    store.name().toLowerCase(Locale.ROOT), seconds);
            print("heap", heap, HEAP_BYTES_MAX);
            System.out.println(histogram());
        }
        print("disk", (ground.bytesOnDisk() - diskBefore) / (double) count, DISK_BYTES_MAX);
        ground.contents().stream().limit(LINES_SHOWN).forEach(line -> System.out.println("  " + line));
    }

    private void print(String what, double bytes, int bytesMax) {
        System.out.printf(Locale.ROOT, "%s: %.0f bytes for each, of at most %d: %s%n", what, bytes, bytesMax,
                bytes <= bytesMax ? "kept" : "over");
    }

    /** Returns when all of them are asleep. */
    private void start(Kind store, Pawl pawl) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        try (ProgressBar bar = Progress.bar("sleepers on " + store.name().toLowerCase(Locale.ROOT), count, "");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> clients = Collections.nCopies(CLIENTS, () -> {
                for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                    pawl.start(SLEEPER, "sleeper-" + number, number);
                    bar.step();
                }
                return null;
            });
            for (Future<Void> client : threads.invokeAll(clients)) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        for (int number = 0; number < count; number++) {
            while (pawl.workflow(SLEEPER, "sleeper-" + number).operations().isEmpty()) {
                Thread.sleep(TICK_MILLIS);
            }
        }
    }

    private static long heapBytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(TICK_MILLIS);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** What is alive on the heap, largest first. */
    private static String histogram() throws JMException {
        String all = (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[0]}, new String[] {String[].class.getName()});
        return String.join("\n", all.lines().limit(LINES_SHOWN + 2L).toList());
    }
}
