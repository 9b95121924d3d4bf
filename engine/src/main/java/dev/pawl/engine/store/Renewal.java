package dev.pawl.engine.store;

import java.time.Instant;

/** What came of prolonging a lease. */
public sealed interface Renewal permits Renewal.Renewed, StaleOwner {

    /** Good until then, by the store's clock. */
    record Renewed(Instant expiresAt) implements Renewal {
    }
}
