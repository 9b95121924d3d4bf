/** What things are called: keys, addresses and derived GUIDs. */
@NullMarked
package dev.pawl.kernel.id;

import org.jspecify.annotations.NullMarked;
