package dev.pawl.testkit.sim;

/** The primitives of the store port, as faults name them. */
public enum Operation {
    CREATE_SHARDS(true), LEASES(false), CLAIM(true), RENEW(true), RAISE(true), RELEASE(true), COMMIT(true), START(
            true),
    SIGNAL(true), POST(true), LOAD(false), INBOX(false), QUEUE(
            false),
    DUE(false), NEXT_DUE(false), TASKS(false), WORKFLOWS(false), HOOKED(false), GIVEN_UP(false);

    private final boolean writes;

    Operation(boolean writes) {
        this.writes = writes;
    }

    public boolean writes() {
        return writes;
    }
}
