/** The event log: what each commit did to its workflow, in JSON that has one spelling, each event sealed by the next. */
@NullMarked
package dev.pawl.kernel.event;

import org.jspecify.annotations.NullMarked;
