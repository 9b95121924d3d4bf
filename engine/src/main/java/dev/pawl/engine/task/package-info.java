/** Tasks: what is handed to workers, and how. */
@NullMarked
package dev.pawl.engine.task;

import org.jspecify.annotations.NullMarked;
