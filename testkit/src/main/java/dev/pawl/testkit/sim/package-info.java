/** A simulated world for the real kernel and the real engine: time, storage and faults, all from one seed. */
@NullMarked
package dev.pawl.testkit.sim;

import org.jspecify.annotations.NullMarked;
