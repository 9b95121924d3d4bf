/** Pawl in an application: open a store, register definitions, start workflows and talk to them. */
@NullMarked
package dev.pawl;

import org.jspecify.annotations.NullMarked;
