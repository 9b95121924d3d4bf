package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;

/**
 * The answer of the kernel to one delivered message.
 *
 * @param entry what the ledgers said about it
 * @param bundle what to commit; never empty
 * @param acknowledged false if the message must be delivered again after the commit, because a fan-out is not at its end
 */
public record Transition(Entry entry, Bundle bundle, boolean acknowledged) {
}
