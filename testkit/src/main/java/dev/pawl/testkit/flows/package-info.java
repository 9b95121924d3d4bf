/** Flows that nobody has thought of: made up, run in a simulated world, and held against what they must come to. */
@NullMarked
package dev.pawl.testkit.flows;

import org.jspecify.annotations.NullMarked;
