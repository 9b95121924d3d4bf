/** How long what is over is kept, and what deletes it then. */
@NullMarked
package dev.pawl.engine.retention;

import org.jspecify.annotations.NullMarked;
