package dev.pawl.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.pawl.Pawl;
import dev.pawl.WorkflowHandle;
import dev.pawl.engine.flow.Flow;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One measurement: a closed loop of clients, each of which starts a workflow, waits for its result, and does so again. Of workflows that
 * are parked each client wakes one and waits for its result, until none is left.
 */
final class FlowCell {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARKING_CLIENTS = 64;
    private static final int PARKED_TICK_MILLIS = 2;
    /** So many of the parked workflows are for warming up: one in so many. */
    private static final int WARM_UP_PART = 4;

    private final Pawl pawl;
    private final Flow<Integer, Answer> definition;
    private final int clients;
    private final AtomicInteger begun = new AtomicInteger();
    private final List<WorkflowHandle<Answer>> parked = new ArrayList<>();

    /**
     * How long, or with how many.
     *
     * @param shards null for as many as a user gets
     */
    record Extent(Duration warmUp, Duration time, int parked, @Nullable Integer shards) {
    }

    /** How long each workflow took that came to its end within these seconds. */
    private record Loop(List<Long> nanos, double seconds) {
    }

    private FlowCell(Pawl pawl, Flow<Integer, Answer> definition, int clients) {
        this.pawl = pawl;
        this.definition = definition;
        this.clients = clients;
    }

    static FlowMeasured measure(Ground ground, FlowWorkload workload, int clients, Extent extent)
            throws InterruptedException {
        Flow<Integer, Answer> definition = workload.definition();
        int shards = extent.shards() == null ? ground.shards() : extent.shards();
        // Its tables are there before anything is counted, and an engine that only comes and goes has been counted once.
        open(ground, shards, definition).close();
        Written none = ground.written();
        open(ground, shards, definition).close();
        Written before = ground.written();
        Loop loop;
        int all;
        long cpu = cpuNanos();
        try (Pawl pawl = open(ground, shards, definition)) {
            FlowCell cell = new FlowCell(pawl, definition, clients);
            loop = workload == FlowWorkload.W3 ? cell.wake(extent.parked()) : cell.run(extent);
            all = cell.begun.get();
            cpu = cpuNanos() - cpu;
        }
        Written perStep = ground.written().since(before).since(before.since(none)).per((double) all * workload.steps());
        return FlowMeasured.of(loop.nanos(), loop.seconds(), cpu / 1e3 / ((double) all * workload.steps()), perStep);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static Pawl open(Ground ground, int shards, Flow<Integer, Answer> definition) {
        return Pawl.builder().store(ground.open()).shards(shards).definitions(definition).open();
    }

    private interface Client {

        void run(List<Long> noted) throws InterruptedException;
    }

    /** Runs all clients at once; gives what they noted. */
    private static List<Long> together(int count, Client client) throws InterruptedException {
        List<Long> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Long>>> running = IntStream.range(0, count).mapToObj(number -> threads.submit(() -> {
                List<Long> noted = new ArrayList<>();
                client.run(noted);
                return noted;
            })).toList();
            for (Future<List<Long>> each : running) {
                all.addAll(each.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return all;
    }

    private Loop run(Extent extent) throws InterruptedException {
        long from = System.nanoTime() + extent.warmUp().toNanos();
        long to = from + extent.time().toNanos();
        List<Long> nanos = together(clients, noted -> {
            for (long began = System.nanoTime(); began < to;) {
                start().result(PATIENCE);
                long ended = System.nanoTime();
                // With many clients some have begun long before the clock.
                if (ended >= from && ended <= to) {
                    noted.add(ended - began);
                }
                began = ended;
            }
        });
        return new Loop(nanos, extent.time().toNanos() / 1e9);
    }

    private WorkflowHandle<Answer> start() {
        int number = begun.getAndIncrement();
        return pawl.start(definition, "bench-" + number, number);
    }

    private Loop wake(int count) throws InterruptedException {
        park(count);
        AtomicInteger next = new AtomicInteger();
        AtomicLong from = new AtomicLong();
        List<Long> nanos = together(clients, noted -> {
            for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                WorkflowHandle<Answer> handle = parked.get(number);
                long began = System.nanoTime();
                if (number == count / WARM_UP_PART) {
                    from.set(began);
                }
                handle.signal(FlowWorkload.SIGNAL, FlowWorkload.answer(number, 1));
                handle.result(PATIENCE);
                if (number >= count / WARM_UP_PART) {
                    noted.add(System.nanoTime() - began);
                }
            }
        });
        return new Loop(nanos, (System.nanoTime() - from.get()) / 1e9);
    }

    private void park(int count) throws InterruptedException {
        together(Math.min(count, PARKING_CLIENTS), none -> {
            while (begun.get() < count) {
                WorkflowHandle<Answer> handle = start();
                synchronized (parked) {
                    parked.add(handle);
                }
            }
        });
        for (WorkflowHandle<Answer> handle : parked) {
            while (handle.operations().isEmpty()) {
                Thread.sleep(PARKED_TICK_MILLIS);
            }
        }
    }
}
