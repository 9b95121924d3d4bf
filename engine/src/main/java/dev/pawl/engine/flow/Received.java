package dev.pawl.engine.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a wait for a signal has ended: one arrived in time, with its payload, or none did. A payload may be null, so null says nothing about
 * that.
 *
 * <pre>{@code
 * Received<Approval> answer = flow.signal("approval", Approval.class, Duration.ofDays(3));
 * return answer.arrived() ? decide(answer.payload()) : escalate();
 * }</pre>
 */
public final class Received<T extends @Nullable Object> {

    private final boolean arrived;
    private final @Nullable T payload;
    private final Duration timeout;

    private Received(boolean arrived, @Nullable T payload, Duration timeout) {
        this.arrived = arrived;
        this.payload = payload;
        this.timeout = timeout;
    }

    static <T extends @Nullable Object> Received<T> arrived(T payload, Duration timeout) {
        return new Received<>(true, payload, timeout);
    }

    static <T extends @Nullable Object> Received<T> timedOut(Duration timeout) {
        return new Received<>(false, null, timeout);
    }

    /** Whether a signal arrived in time. */
    public boolean arrived() {
        return arrived;
    }

    /** Throws {@link IllegalStateException} if none arrived in time. */
    @SuppressWarnings("NullAway") // Null is a payload like any other.
    public T payload() {
        if (!arrived) {
            throw new IllegalStateException("no signal arrived within " + timeout + "; look at arrived() first");
        }
        return payload;
    }

    /** The payload, or this if no signal arrived in time. */
    public T orElse(T other) {
        return arrived ? payload() : other;
    }

    @Override
    public String toString() {
        return arrived ? "arrived" : "timed out after " + timeout;
    }
}
