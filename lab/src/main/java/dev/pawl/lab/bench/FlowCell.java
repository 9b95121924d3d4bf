package dev.pawl.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import dev.pawl.lab.bench.OpenEngine.Begun;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One measurement: a closed loop of clients, each of which starts a workflow, waits for its result, and does so again. Of workflows that
 * are parked each client wakes one and waits for its result, until none is left. Every result is looked at, and of some workflows also
 * what the database holds: nothing that does less than it should is measured.
 */
final class FlowCell {

    private static final int PARKING_CLIENTS = 64;
    private static final int PARKED_TICK_MILLIS = 2;
    /** So many parked workflows for each client, at least. */
    private static final int PARKED_PER_CLIENT_MIN = 4;
    private static final int PARKED_MIN = 32;
    private static final int INSPECTED = 4;

    private final OpenEngine engine;
    private final FlowWorkload workload;
    private final int clients;
    private final Extent extent;
    private final AtomicInteger numbers;
    private final int from;
    private final AtomicReferenceArray<Begun> latest = new AtomicReferenceArray<>(INSPECTED);

    /** How long each workflow took that came to its end within these seconds. */
    record Loop(List<Long> nanos, double seconds) {

        double rate() {
            return nanos.size() / seconds;
        }
    }

    /** Has nothing started yet; numbers are those that no workflow of this engine has had. */
    FlowCell(OpenEngine engine, FlowWorkload workload, int clients, Extent extent, AtomicInteger numbers) {
        this.engine = engine;
        this.workload = workload;
        this.clients = clients;
        this.extent = extent;
        this.numbers = numbers;
        this.from = numbers.get();
    }

    static FlowMeasured measure(Contender contender, Ground ground, FlowWorkload workload, int clients, Extent extent)
            throws InterruptedException {
        contender.prepare(ground);
        Written before = ground.written();
        Loop loop;
        double steps;
        long cpu = cpuNanos();
        try (OpenEngine engine = contender.open(ground, extent)) {
            FlowCell cell = new FlowCell(engine, workload, clients, extent, new AtomicInteger());
            loop = cell.run();
            steps = cell.begun() * (double) workload.steps(extent.fanOut());
            cpu = cpuNanos() - cpu;
        }
        Written perStep = ground.written().since(before).per(steps);
        return FlowMeasured.of(loop.nanos(), loop.seconds(), cpu / 1e3 / steps, perStep);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    Loop run() throws InterruptedException {
        Loop loop = switch (workload) {
            case W1, W2 -> loop(extent.warmUp(), extent.time());
            case W3 -> wake();
            case W4 -> oneAfterTheOther();
            case W5 -> throw new IllegalArgumentException("those who sleep never come to an end");
        };
        for (int i = 0; i < INSPECTED; i++) {
            inspect(latest.get(i));
        }
        return loop;
    }

    /** How many workflows were started, those for warming up included. */
    int begun() {
        return numbers.get() - from;
    }

    private void inspect(@Nullable Begun begun) {
        int steps = workload.steps(extent.fanOut());
        if (begun != null && begun.durableSteps() < steps) {
            throw new IllegalStateException("a workflow of " + workload + " has left " + begun.durableSteps()
                    + " durable steps, and not " + steps);
        }
    }

    private void finish(int number, Begun begun) {
        Answer expected = workload.expected(number, extent.fanOut());
        Answer result = begun.result();
        if (!expected.equals(result)) {
            throw new IllegalStateException("workflow " + number + " of " + workload + " came to " + result
                    + ", and not to " + expected);
        }
        latest.set(number % INSPECTED, begun);
    }

    /** If not even one comes to its end in the time that is wanted, it takes longer. */
    private Loop loop(Duration warmUp, Duration time) throws InterruptedException {
        long begin = System.nanoTime() + warmUp.toNanos();
        long end = begin + time.toNanos();
        List<Long> nanos = Together.run(clients, noted -> {
            for (long began = System.nanoTime(); began < end;) {
                int number = numbers.getAndIncrement();
                finish(number, engine.start(workload, number));
                long ended = System.nanoTime();
                // With many clients some have begun long before the clock.
                if (ended >= begin && ended <= end) {
                    noted.add(ended - began);
                }
                began = ended;
            }
        });
        return nanos.isEmpty() && time.isPositive()
                ? loop(Duration.ZERO, time.multipliedBy(2))
                : new Loop(nanos, time.toNanos() / 1e9);
    }

    /** Few of them fit into the time, so the clock stops with the last one. */
    private Loop oneAfterTheOther() {
        repeat(extent.warmUp());
        return repeat(extent.time());
    }

    private Loop repeat(Duration time) {
        List<Long> nanos = new ArrayList<>();
        long begin = System.nanoTime();
        long before = begin;
        do {
            int number = numbers.getAndIncrement();
            finish(number, engine.start(workload, number));
            long after = System.nanoTime();
            nanos.add(after - before);
            before = after;
        } while (before - begin < time.toNanos());
        return new Loop(nanos, (before - begin) / 1e9);
    }

    /** A first wave warms up, and shows how many the second needs in order to last for the time that is wanted. */
    private Loop wake() throws InterruptedException {
        int least = Math.max(PARKED_MIN, clients * PARKED_PER_CLIENT_MIN);
        double rate = wave(least).rate();
        int enough = (int) Math.min(extent.parkedMax(), rate * extent.time().toNanos() / 1e9);
        return wave(Math.max(least, enough));
    }

    private record Parked(int number, Begun begun) {
    }

    private Loop wave(int count) throws InterruptedException {
        Queue<Parked> parked = park(count);
        long began = System.nanoTime();
        List<Long> nanos = Together.run(clients, noted -> {
            for (Parked next = parked.poll(); next != null; next = parked.poll()) {
                long sent = System.nanoTime();
                next.begun().signal(workload.expected(next.number(), extent.fanOut()));
                finish(next.number(), next.begun());
                noted.add(System.nanoTime() - sent);
            }
        });
        return new Loop(nanos, (System.nanoTime() - began) / 1e9);
    }

    /** Returns when every one of them waits, durably. */
    private Queue<Parked> park(int count) throws InterruptedException {
        Queue<Parked> parked = new ConcurrentLinkedQueue<>();
        AtomicInteger missing = new AtomicInteger(count);
        Together.run(Math.min(count, PARKING_CLIENTS), none -> {
            while (missing.getAndDecrement() > 0) {
                int number = numbers.getAndIncrement();
                parked.add(new Parked(number, engine.start(workload, number)));
            }
        });
        for (Parked each : parked) {
            while (each.begun().durableSteps() == 0) {
                Thread.sleep(PARKED_TICK_MILLIS);
            }
        }
        return parked;
    }
}
