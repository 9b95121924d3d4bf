/** What an application embeds: the engine that drives workflows through the kernel, and the port to its store. */
@NullMarked
package dev.pawl.engine;

import org.jspecify.annotations.NullMarked;
