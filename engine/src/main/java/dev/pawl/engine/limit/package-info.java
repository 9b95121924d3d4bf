/** Who waits for a slot, and what becomes of the slots that are held here. */
@NullMarked
package dev.pawl.engine.limit;

import org.jspecify.annotations.NullMarked;
