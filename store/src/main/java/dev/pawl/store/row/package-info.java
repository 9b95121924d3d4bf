/** Records of the kernel as columns, and back. The same for every database. */
@NullMarked
package dev.pawl.store.row;

import org.jspecify.annotations.NullMarked;
