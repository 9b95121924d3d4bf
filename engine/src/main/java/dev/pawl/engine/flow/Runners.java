package dev.pawl.engine.flow;

import dev.pawl.engine.task.ProcessLease;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Names for the runs of attempts: the process, and a number that no other run in it has. Safe for use by many threads. */
final class Runners {

    private static final char SEPARATOR = '.';

    private final Supplier<ProcessLease> lease;
    private final AtomicLong numbers = new AtomicLong();

    Runners(Supplier<ProcessLease> lease) {
        this.lease = lease;
    }

    String next() {
        return lease.get().process() + SEPARATOR
                + Long.toString(numbers.incrementAndGet(), Character.MAX_RADIX);
    }

    /** The process of a runner; empty if it is not known. */
    static String process(String runner) {
        return runner.substring(0, Math.max(0, runner.lastIndexOf(SEPARATOR)));
    }
}
