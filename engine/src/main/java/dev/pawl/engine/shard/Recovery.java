package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.message.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a new owner finds in the store: everything the last one knew that matters. */
record Recovery(Store store, ShardId shard) {

    private static final int PAGE = 1_000;

    List<Delivery> queue() {
        return all(after -> store.queue(shard, after, PAGE));
    }

    List<Waiting> tasks() {
        return all(after -> store.tasks(shard, after, PAGE));
    }

    List<Waiting> awake() {
        return all(after -> store.awake(shard, after, PAGE));
    }

    private static <T> List<T> all(Function<@Nullable T, List<T>> pages) {
        List<T> all = new ArrayList<>(pages.apply(null));
        for (int last = all.size(); last == PAGE;) {
            List<T> page = pages.apply(all.getLast());
            all.addAll(page);
            last = page.size();
        }
        return all;
    }
}
