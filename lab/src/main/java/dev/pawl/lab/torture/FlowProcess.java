package dev.pawl.lab.torture;

import dev.pawl.lab.torture.effect.EffectLog;
import dev.pawl.lab.torture.effect.ProcessRecord;
import java.util.List;

/** A {@link FlowChild}, and the record of what is done to it. Not thread-safe. */
final class FlowProcess implements AutoCloseable {

    /** What the JVM exits with after SIGTERM. */
    static final int TERMINATED = 143;

    private static final int TICK_MILLIS = 5;
    private static final int END_MILLIS_MAX = 60_000;
    private static final int UP_MILLIS_MAX = 60_000;

    private final ChildProcess child;
    private final ProcessRecord record;
    private final EffectLog log;
    private int exitCode;

    FlowProcess(ChildProcess child, ProcessRecord record, EffectLog log) {
        this.child = child;
        this.record = record;
        this.log = log;
        child.onEnd(record::ended);
    }

    String name() {
        return record.name();
    }

    ProcessRecord record() {
        return record;
    }

    /** Waits until it has a lease, or is gone, or the time is up. */
    void awaitUp() throws InterruptedException {
        for (int waited = 0; waited < UP_MILLIS_MAX && child.alive() && !log.leased(name()); waited += TICK_MILLIS) {
            Thread.sleep(TICK_MILLIS);
        }
    }

    /** Has it close its engine, and end. */
    void leave() {
        record.asked();
        exitCode = 0;
        child.order(FlowChild.LEAVE);
    }

    /** Has it close its engine and end when every workflow is over. */
    void calm() {
        exitCode = 0;
        child.order(FlowChild.CALM);
    }

    /** SIGTERM. */
    void terminate() throws InterruptedException {
        record.asked();
        exitCode = TERMINATED;
        child.terminate();
    }

    /** SIGKILL, and gone when this returns. */
    void kill() throws InterruptedException {
        child.kill();
    }

    /** Stopped for so long, together with others. */
    static void freeze(List<FlowProcess> processes, long millis) throws InterruptedException {
        try {
            for (FlowProcess each : processes) {
                each.child.stop();
            }
            long stopped = System.nanoTime();
            Thread.sleep(millis);
            for (FlowProcess each : processes) {
                each.record.frozen(stopped, System.nanoTime());
            }
        } finally {
            for (FlowProcess each : processes) {
                each.child.goOn();
            }
        }
    }

    boolean alive() {
        return child.alive();
    }

    /** Waits for the end it was asked for. */
    List<String> awaitEnd() throws InterruptedException {
        return awaitEnd(END_MILLIS_MAX);
    }

    List<String> awaitEnd(int millisMax) throws InterruptedException {
        if (!child.ended(millisMax)) {
            child.kill();
            return List.of("P8 process " + name() + " does not end");
        }
        return child.exitCode() == exitCode ? List.of()
                : List.of("P8 process " + name() + " ended with " + child.exitCode() + " instead of " + exitCode);
    }

    @Override
    public void close() {
        child.close();
    }
}
