/** What is known of one workflow: its rows, as value types, and a view over them. */
@NullMarked
package dev.pawl.kernel.workflow;

import org.jspecify.annotations.NullMarked;
