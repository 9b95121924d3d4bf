package dev.pawl.testkit.simulate;

import dev.pawl.engine.task.FlowThreads;
import dev.pawl.testkit.sim.SimCrash;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the flows of one engine. They are real, but only one of them runs at a time, from where it was blocked to where it
 * blocks next, and only while the world waits for it: so the world decides who runs when, and the same decisions are the same run.
 */
public final class SimThreads implements FlowThreads {

    private final InstantSource clock;
    private final BooleanSupplier switches;
    private final Semaphore blocked = new Semaphore(0);
    private final List<Strand> strands = new ArrayList<>();
    private final List<Runnable> soon = new ArrayList<>();
    private final List<String> deaths = new ArrayList<>();
    private @Nullable Strand current;
    private boolean dead;
    /** A thread has met the end of its process, which the world has not heard of yet. */
    private boolean crashed;

    /** One thread, and what it waits for. */
    private final class Strand {

        private final Semaphore go = new Semaphore(0);
        private final Thread thread;
        private BooleanSupplier ready = () -> true;
        private @Nullable Instant until;
        /** Whether it is in the user's code: then a crash is where it ends. */
        private boolean outside;
        private boolean ended;

        Strand(String name, Runnable code) {
            thread = Thread.ofVirtual().name(name).unstarted(() -> {
                go.acquireUninterruptibly();
                try {
                    code.run();
                } catch (SimCrash crash) {
                    crashed = !dead;
                } catch (Throwable e) {
                    deaths.add(name + " ended with " + e);
                } finally {
                    ended = true;
                    blocked.release();
                }
            });
        }

        boolean ready(Instant now) {
            return ready.getAsBoolean() || (until != null && !until.isAfter(now));
        }

        void run() {
            current = this;
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            }
            go.release();
            blocked.acquireUninterruptibly();
            current = null;
            if (ended) {
                strands.remove(this);
            }
            if (crashed) {
                crashed = false;
                throw new SimCrash();
            }
        }

        void block(BooleanSupplier readiness, @Nullable Instant deadline, boolean isOutside) {
            ready = readiness;
            until = deadline;
            outside = isOutside;
            blocked.release();
            go.acquireUninterruptibly();
            outside = false;
        }
    }

    /** What user code meets in a process that has ended: nothing it does from here on may be seen. */
    public static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Ended() {
            super("the process has ended", null, false, false);
        }
    }

    /** Whether another thread runs is asked each time that one could. */
    SimThreads(InstantSource clock, BooleanSupplier switches) {
        this.clock = clock;
        this.switches = switches;
    }

    @Override
    public void start(String name, Runnable code) {
        strands.add(new Strand(name, code));
    }

    /** At once: in a world of one thread there is no other. */
    @Override
    public void beside(Runnable work) {
        work.run();
    }

    /** Like everything else here: when the world lets it. */
    @Override
    public void work(Runnable body) {
        start("pawl-worker", body);
    }

    @Override
    public void soon(Runnable code) {
        soon.add(code);
    }

    /** Real threads are interrupted anywhere; these only where one of them has let go of a lock, which is where it can matter. */
    @Override
    public void pause() {
        Strand strand = current;
        if (strand != null && !dead && Thread.currentThread().equals(strand.thread) && switches.getAsBoolean()) {
            strand.block(() -> true, null, false);
        }
    }

    @Override
    public <T extends @Nullable Object> T await(CompletableFuture<T> coming) {
        if (!coming.isDone()) {
            running().block(coming::isDone, null, false);
        }
        if (!coming.isDone()) {
            throw new SimCrash();
        }
        return coming.join();
    }

    @Override
    public <T extends @Nullable Object> T await(CompletableFuture<T> coming, Duration longest)
            throws InterruptedException, ExecutionException, TimeoutException {
        Instant deadline = clock.instant().plus(longest);
        if (!coming.isDone()) {
            running().block(coming::isDone, deadline, false);
        }
        if (!coming.isDone()) {
            throw new TimeoutException();
        }
        return coming.get();
    }

    /**
     * For user code: takes so long, and others run meanwhile. An interrupt is noticed only then: whether a parked thread is
     * interrupted is not a question that has the same answer twice.
     */
    public void pass(Duration duration) throws InterruptedException {
        check();
        running().block(() -> false, clock.instant().plus(duration), true);
        check();
        if (Thread.interrupted()) {
            throw new InterruptedException("left behind");
        }
    }

    /** For user code: ends it if its process has ended. */
    public void check() {
        if (dead) {
            throw new Ended();
        }
    }

    /** For user code: what time it is. */
    public Instant now() {
        return clock.instant();
    }

    private Strand running() {
        return Objects.requireNonNull(current, "none of these threads runs");
    }

    /** How many can run now. */
    int ready() {
        if (strands.isEmpty()) {
            return soon.size();
        }
        Instant now = clock.instant();
        int count = soon.size();
        for (Strand strand : strands) {
            count += strand.ready(now) ? 1 : 0;
        }
        return count;
    }

    /** Runs one of those that can, until it blocks or ends. */
    void run(int which) {
        if (which < soon.size()) {
            soon.remove(which).run();
            return;
        }
        Instant now = clock.instant();
        strands.stream().filter(strand -> strand.ready(now)).skip(which - soon.size()).findFirst().orElseThrow().run();
    }

    /** When one of them can run that cannot now; null if none waits for the clock. */
    @Nullable Instant next() {
        Instant next = null;
        for (Strand strand : strands) {
            Instant until = strand.until;
            next = until != null && (next == null || until.isBefore(next)) ? until : next;
        }
        return next;
    }

    /** The process has ended: every thread comes to its end now, and none of it shows. */
    void end() {
        dead = true;
        soon.clear();
        Instant now = clock.instant();
        while (!strands.isEmpty()) {
            strands.stream().filter(strand -> strand.outside).findFirst()
                    .or(() -> strands.stream().filter(strand -> strand.ready(now)).findFirst())
                    .orElseGet(strands::getFirst).run();
        }
    }

    /** Threads that ended with an error that nobody caught. */
    List<String> deaths() {
        return deaths;
    }
}
