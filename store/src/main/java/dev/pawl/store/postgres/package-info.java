/** PostgreSQL behind the store port: one statement per batch. */
@NullMarked
package dev.pawl.store.postgres;

import org.jspecify.annotations.NullMarked;
