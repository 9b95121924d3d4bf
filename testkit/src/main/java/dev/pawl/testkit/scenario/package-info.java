/** What to run through an engine that is made to crash, and an oracle that says how it must end. */
@NullMarked
package dev.pawl.testkit.scenario;

import org.jspecify.annotations.NullMarked;
