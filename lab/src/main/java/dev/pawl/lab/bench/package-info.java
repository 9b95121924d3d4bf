/** How fast a store takes bundles when no engine is in the way: the measure of what an engine could reach on it. */
@NullMarked
package dev.pawl.lab.bench;

import org.jspecify.annotations.NullMarked;
