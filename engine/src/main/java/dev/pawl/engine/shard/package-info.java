/** An engine and its shards, each driven by one loop: deliveries in, batches out. */
@NullMarked
package dev.pawl.engine.shard;

import org.jspecify.annotations.NullMarked;
