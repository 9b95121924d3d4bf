/** Definitions drawn in Java code: nodes of the seven activity types, edges between them, functions on both. */
@NullMarked
package dev.pawl.engine.graph;

import org.jspecify.annotations.NullMarked;
