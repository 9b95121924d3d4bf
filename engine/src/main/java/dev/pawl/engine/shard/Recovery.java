package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.message.Delivery;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a new owner finds in the store, page by page: everything the last one knew that matters. */
record Recovery(Store store, ShardId shard) {

    private static final int PAGE = 1_000;

    void queue(Consumer<Delivery> each) {
        all(after -> store.queue(shard, after, PAGE), each);
    }

    void tasks(Consumer<Waiting> each) {
        all(after -> store.tasks(shard, after, PAGE), each);
    }

    private static <T> void all(Function<@Nullable T, List<T>> pages, Consumer<T> each) {
        List<T> page = pages.apply(null);
        page.forEach(each);
        while (page.size() == PAGE) {
            page = pages.apply(page.getLast());
            page.forEach(each);
        }
    }
}
