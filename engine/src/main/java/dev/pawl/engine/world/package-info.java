/** The one door through which real time, chance and threads come in. */
@NullMarked
package dev.pawl.engine.world;

import org.jspecify.annotations.NullMarked;
