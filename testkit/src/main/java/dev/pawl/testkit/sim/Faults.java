package dev.pawl.testkit.sim;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Decides which call fails, and how. */
@FunctionalInterface
public interface Faults {

    /** The fault of this call, the {@code count}-th of its kind from 1 on, or null if it goes well. */
    @Nullable Fault strike(Operation operation, long count);

    static Faults none() {
        return (operation, count) -> null;
    }

    /** Strikes one call: the {@code count}-th of an operation. */
    static Faults once(Operation operation, long count, Fault fault) {
        return (called, number) -> called == operation && number == count ? fault : null;
    }

    /** Counts the calls of each kind, so that a fault can name one of them. */
    final class Counter {

        private final Map<Operation, Long> calls = new ConcurrentHashMap<>();

        long next(Operation operation) {
            return calls.merge(operation, 1L, Long::sum);
        }

        /** How often an operation was called so far. */
        public long of(Operation operation) {
            return calls.getOrDefault(operation, 0L);
        }
    }
}
