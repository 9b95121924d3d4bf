/**
 * Torture: real engines in processes of their own, killed, stopped and cut off under load, and what they leave behind held
 * against what they had promised before.
 */
@NullMarked
package dev.pawl.lab.torture;

import org.jspecify.annotations.NullMarked;
