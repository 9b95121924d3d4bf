/** What a batch of bundles comes to before it is written: each row at most once, and what is wrong with it if it is refused. */
@NullMarked
package dev.pawl.store.plan;

import org.jspecify.annotations.NullMarked;
