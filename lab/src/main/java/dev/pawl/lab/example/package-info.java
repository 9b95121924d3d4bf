/** Flows to learn from. Each has a {@code main} that runs it on a file that is gone afterwards. */
@NullMarked
package dev.pawl.lab.example;

import org.jspecify.annotations.NullMarked;
