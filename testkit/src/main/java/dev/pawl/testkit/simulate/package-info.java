/** The real kernel and the real engine in a simulated world, run by run: one seed, one run, the same every time. */
@NullMarked
package dev.pawl.testkit.simulate;

import org.jspecify.annotations.NullMarked;
