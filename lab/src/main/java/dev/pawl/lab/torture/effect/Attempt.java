package dev.pawl.lab.torture.effect;

import org.jspecify.annotations.Nullable;

/**
 * One run of an operation's function, as the {@link EffectServer} was told of it. Times are of the machine's monotonic clock, which all
 * processes share, taken by the process that says so.
 *
 * @param number counted by the server, from 1
 * @param attempt as the engine counts it; 0 where the function is not told
 */
public record Attempt(int number, String process, String workflow, String operation, Level level, int attempt,
        String key, long begunNanos, @Nullable End end) {

    /** How it has ended. */
    public record End(long nanos, boolean returned) {
    }

    Attempt ended(long nanos, boolean returned) {
        return new Attempt(number, process, workflow, operation, level, attempt, key, begunNanos,
                new End(nanos, returned));
    }

    /** Whether it was under way at a time. */
    boolean running(long nanos) {
        return begunNanos <= nanos && (end == null || end.nanos() > nanos);
    }

    /** The operation, wherever and however often it is attempted. */
    String place() {
        return workflow + " " + operation;
    }

    @Override
    public String toString() {
        return level + " " + place() + " (run " + number + ", attempt " + attempt + " in " + process + ", begun at "
                + begunNanos / 1_000_000 + " ms, "
                + (end == null ? "not ended" : (end.returned() ? "returned" : "threw")
                        + " at " + end.nanos() / 1_000_000 + " ms")
                + ")";
    }
}
