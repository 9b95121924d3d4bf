/** What a transition wants written, and what a view looks like once it is. */
@NullMarked
package dev.pawl.kernel.bundle;

import org.jspecify.annotations.NullMarked;
