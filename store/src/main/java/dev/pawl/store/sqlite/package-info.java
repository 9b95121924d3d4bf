/** SQLite behind the store port: one file, one writer thread, readers beside it. */
@NullMarked
package dev.pawl.store.sqlite;

import org.jspecify.annotations.NullMarked;
