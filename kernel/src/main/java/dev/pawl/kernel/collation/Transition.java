package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.message.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the kernel to one delivered message.
 *
 * @param entry what the ledgers said about it
 * @param bundle what to commit; never empty
 * @param again how the message must be delivered again after the commit, because a fan-out is not at its end; null if it is
 *        consumed, as it nearly always is
 */
public record Transition(Entry entry, Bundle bundle, @Nullable Delivery again) {

    public boolean consumed() {
        return again == null;
    }
}
