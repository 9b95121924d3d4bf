package dev.pawl.engine;

/** What keeps two engines from driving the same workflow. */
public enum CheckpointOwnership {

    /** The store does: a commit holds only if fence and version are still what its owner has read. */
    CAS_REQUIRED("cas-required"),
    /** The deployment does: no two engines ever run on the store at the same time, and nobody checks. */
    SINGLE_OWNER("single-owner");

    private final String label;

    CheckpointOwnership(String label) {
        this.label = label;
    }

    /** As configuration files and messages spell it. */
    @Override
    public String toString() {
        return label;
    }
}
