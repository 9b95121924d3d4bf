package dev.pawl.lab.torture.effect;

import java.util.ArrayList;
import java.util.List;

/** What was done to one process, by the machine's monotonic clock. Written by the thread that does it; only its end is noted by another. */
public final class ProcessRecord {

    private static final long NEVER = Long.MAX_VALUE;

    private final String name;
    private final long drainNanos;
    private final List<Freeze> freezes = new ArrayList<>();
    private long askedNanos = NEVER;
    private volatile long endedNanos = NEVER;

    /** From SIGSTOP to SIGCONT. */
    record Freeze(long stoppedNanos, long continuedNanos) {
    }

    /** Lives. */
    public ProcessRecord(String name, long drainMillis) {
        this.name = name;
        this.drainNanos = drainMillis * 1_000_000;
    }

    public String name() {
        return name;
    }

    /** Whether it was asked to end. */
    public boolean leaving() {
        return askedNanos != NEVER;
    }

    /** It is asked to end, by SIGTERM or by an order to close its engine. */
    public void asked() {
        askedNanos = System.nanoTime();
    }

    public void ended() {
        endedNanos = System.nanoTime();
    }

    public void frozen(long stoppedNanos, long continuedNanos) {
        freezes.add(new Freeze(stoppedNanos, continuedNanos));
    }

    List<Freeze> freezes() {
        return freezes;
    }

    boolean gone(long nanos) {
        return endedNanos <= nanos;
    }

    /** How long it waits for its attempts when it is asked to end. */
    long drainNanos() {
        return drainNanos;
    }

    @Override
    public String toString() {
        return "process " + name + ": drain " + drainNanos / 1_000_000 + " ms, asked to end at " + millis(askedNanos)
                + ", ended at " + millis(endedNanos) + ", frozen " + freezes.stream()
                        .map(each -> millis(each.stoppedNanos()) + " to " + millis(each.continuedNanos())).toList();
    }

    private static String millis(long nanos) {
        return nanos == NEVER ? "no time" : nanos / 1_000_000 + " ms";
    }
}
