/**
 * The store port: primitives that commit, in verbs of the domain. Whatever lies behind it passes one contract suite,
 * {@code StoreContract} in the testkit.
 */
@NullMarked
package dev.pawl.engine.store;

import org.jspecify.annotations.NullMarked;
