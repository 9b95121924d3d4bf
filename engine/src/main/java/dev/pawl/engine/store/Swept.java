package dev.pawl.engine.store;

/**
 * How much a sweep has deleted, or would delete.
 *
 * @param bytes of what the users and the log have put there: events, inputs, outputs and the payloads of signals. What a database needs
 *        to keep them comes on top
 */
public record Swept(long workflows, long events, long acceptances, long bytes) {

    public static final Swept NOTHING = new Swept(0, 0, 0, 0);

    /** True if there was nothing to delete: whoever sweeps until here is done. */
    public boolean isNothing() {
        return equals(NOTHING);
    }

    public Swept plus(Swept other) {
        return new Swept(workflows + other.workflows, events + other.events, acceptances + other.acceptances,
                bytes + other.bytes);
    }
}
