/** The store port over JDBC: everything that is the same for SQLite and PostgreSQL. */
@NullMarked
package dev.pawl.store.sql;

import org.jspecify.annotations.NullMarked;
