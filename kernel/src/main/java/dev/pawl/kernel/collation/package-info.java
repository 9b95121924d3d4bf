/**
 * Collation: from a message and what is known of its workflow to the bundle that must be committed. Pure: no clock, no
 * store, no chance.
 */
@NullMarked
package dev.pawl.kernel.collation;

import org.jspecify.annotations.NullMarked;
