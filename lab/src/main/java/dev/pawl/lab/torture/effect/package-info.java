/**
 * Flows whose operations are of every guarantee level, and the outside world they act on: a server in the process that tortures, which
 * counts every attempt and every effect, and the rules that its record must keep.
 */
@NullMarked
package dev.pawl.lab.torture.effect;

import org.jspecify.annotations.NullMarked;
