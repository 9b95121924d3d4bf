package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import java.util.List;
import java.util.function.Consumer;

/** What a new owner has to know of a shard before its first turn, page by page. */
record Recovery(Store store, ShardId shard) {

    private static final int PAGE = 1_000;

    void tasks(Consumer<Waiting> each) {
        List<Waiting> page = store.tasks(shard, null, PAGE);
        page.forEach(each);
        while (page.size() == PAGE) {
            page = store.tasks(shard, page.getLast(), PAGE);
            page.forEach(each);
        }
    }
}
