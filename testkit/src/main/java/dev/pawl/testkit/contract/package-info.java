/** The suite every store must pass, written against the port only. Extend {@link dev.pawl.testkit.contract.StoreContract}. */
@NullMarked
package dev.pawl.testkit.contract;

import org.jspecify.annotations.NullMarked;
