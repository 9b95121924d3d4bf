/** Long runs with results that are kept: simulations, torture, benchmarks. */
@NullMarked
package dev.pawl.lab;

import org.jspecify.annotations.NullMarked;
