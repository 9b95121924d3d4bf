package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore with its threshold and the message that brought it there: the one mechanism that closes workflows and
 * opens joins.
 *
 * <p>Closed means {@code closedBy} is set. A hit counts only while it is not, so a gate closes exactly once.
 */
public record Gate(Semaphore semaphore, long threshold, @Nullable Guid closedBy) {

    /** A workflow opens with one obligation: its trigger, which replaces itself by its children. */
    public static Gate ofWorkflow(long threshold) {
        return new Gate(new Semaphore(1), threshold, null);
    }

    public static Gate ofJoin(int arrivals) {
        return new Gate(new Semaphore(arrivals), 0, null);
    }

    public boolean closed() {
        return closedBy != null;
    }

    public boolean closedBy(Guid guid) {
        return guid.equals(closedBy);
    }

    /** Adds the delta; if that reaches the threshold of an open gate, the mover is its closer. */
    public Gate move(long delta, Guid by) {
        Semaphore after = semaphore.plus(delta);
        boolean hit = closedBy == null && after.at(threshold);
        return new Gate(after, threshold, hit ? by : closedBy);
    }

    /** The delta that closes this gate from where it stands: how an interrupt ends a workflow. */
    public long deltaToThreshold() {
        return threshold - semaphore.open();
    }
}
