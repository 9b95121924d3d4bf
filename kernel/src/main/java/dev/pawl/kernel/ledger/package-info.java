/** The two monotonic ledgers and the semaphore: value types over one long, next to the drawing of their digits. */
@NullMarked
package dev.pawl.kernel.ledger;

import org.jspecify.annotations.NullMarked;
