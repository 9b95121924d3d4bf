package dev.pawl.engine.store;

/** How much a sweep has deleted, or would delete. */
public record Swept(long workflows, long events, long acceptances) {

    public static final Swept NOTHING = new Swept(0, 0, 0);

    /** True if there was nothing to delete: whoever sweeps until here is done. */
    public boolean isNothing() {
        return equals(NOTHING);
    }

    public Swept plus(Swept other) {
        return new Swept(workflows + other.workflows, events + other.events, acceptances + other.acceptances);
    }
}
