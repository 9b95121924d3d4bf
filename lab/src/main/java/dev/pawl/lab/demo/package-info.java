/** A first look: an order whose process dies in the middle, and what is left of it. */
@NullMarked
package dev.pawl.lab.demo;

import org.jspecify.annotations.NullMarked;
