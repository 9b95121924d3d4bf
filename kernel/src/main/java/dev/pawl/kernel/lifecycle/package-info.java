/** Lives as tables: of a workflow, an activity and an action. The pictures in the docs are drawn from them. */
@NullMarked
package dev.pawl.kernel.lifecycle;

import org.jspecify.annotations.NullMarked;
