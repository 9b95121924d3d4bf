/** Flows: durable Java code. What a user writes, and what runs it. */
@NullMarked
package dev.pawl.engine.flow;

import org.jspecify.annotations.NullMarked;
