package dev.pawl.kernel.ledger;

/**
 * A ledger, semaphore or transition that cannot exist: the durable state or the code that computed it is broken.
 * It is never repaired and never retried; the shard that meets it is taken out of service and says so.
 */
public final class LedgerViolation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public LedgerViolation(String message) {
        super(message);
    }
}
