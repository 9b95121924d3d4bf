package dev.pawl.lab.bench;

import dev.pawl.Pawl;
import dev.pawl.WorkflowHandle;
import dev.pawl.engine.flow.Flow;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

    private record Sample(long from, long to) {
    }

    private FlowCell(Pawl pawl, Flow<Integer, Answer> definition, int clients) {
        this.pawl = pawl;
        this.definition = definition;
        this.clients = clients;
    }

    static FlowMeasured measure(Ground ground, FlowWorkload workload, int clients, Extent extent)
            throws InterruptedException {
        // Its tables are there before anything is counted.
        ground.open().close();
        Written before = ground.written();
        Flow<Integer, Answer> definition = workload.definition();
        List<Sample> samples;
        int all;
        int shards = extent.shards() == null ? ground.shards() : extent.shards();
        try (Pawl pawl = Pawl.builder().store(ground.open()).shards(shards).definitions(definition).open()) {
            FlowCell cell = new FlowCell(pawl, definition, clients);
            samples = workload == FlowWorkload.W3 ? cell.wake(extent.parked()) : cell.run(extent);
            all = cell.begun.get();
        }
        Written perStep = ground.written().since(before).per((double) all * workload.steps());
        // From the first end to the last: with many clients some have begun long before the clock.
        long from = samples.stream().mapToLong(Sample::to).min().orElse(0);
        long to = samples.stream().mapToLong(Sample::to).max().orElse(0);
        return FlowMeasured.of(samples.stream().mapToLong(sample -> sample.to() - sample.from()).toArray(),
                (to - from) / 1e9, perStep);
    }

    private interface Client {

        void run(LongStream.Builder samples) throws InterruptedException;
    }

    /** Runs all clients at once; gives what they noted, two times each. */
    private List<Sample> together(int count, Client client) throws InterruptedException {
        List<Sample> samples = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<long[]>> running = IntStream.range(0, count).mapToObj(number -> threads.submit(() -> {
                LongStream.Builder noted = LongStream.builder();
                client.run(noted);
                return noted.build().toArray();
            })).toList();
            for (Future<long[]> each : running) {
                long[] times = each.get();
                for (int i = 0; i < times.length; i += 2) {
                    samples.add(new Sample(times[i], times[i + 1]));
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return samples;
    }

    private List<Sample> run(Extent extent) throws InterruptedException {
        long from = System.nanoTime() + extent.warmUp().toNanos();
        long to = from + extent.time().toNanos();
        return together(clients, noted -> {
            for (long began = System.nanoTime(); began < to;) {
                start().result(PATIENCE);
                long ended = System.nanoTime();
                if (ended >= from && ended <= to) {
                    noted.add(began).add(ended);
                }
                began = ended;
            }
        });
    }

    private WorkflowHandle<Answer> start() {
        int number = begun.getAndIncrement();
        return pawl.start(definition, "bench-" + number, number);
    }

    private List<Sample> wake(int count) throws InterruptedException {
        park(count);
        AtomicInteger next = new AtomicInteger();
        return together(clients, noted -> {
            for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                WorkflowHandle<Answer> handle = parked.get(number);
                long began = System.nanoTime();
                handle.signal(FlowWorkload.SIGNAL, FlowWorkload.answer(number, 1));
                handle.result(PATIENCE);
                if (number >= count / WARM_UP_PART) {
                    noted.add(began).add(System.nanoTime());
                }
            }
        });
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
