package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.message.Delivery;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages that the last owner of a shard has left in the queues of its workflows. They are read page by page, the next page when the last
 * one is dealt with, so that the memory they take does not grow with their number. What the new owner queues meanwhile may lie behind the
 * last page: it is in hand already, and not handed on again. Owned by one shard loop.
 */
final class LeftMessages {

    static final int PAGE = 250;

    private final Store store;
    private final ShardId shard;
    /** Messages of queues that are in hand; only as long as there are pages to be read. */
    private final Set<ReadyMessages.InQueue> held = new HashSet<>();
    private @Nullable Delivery last;
    private boolean more;

    LeftMessages(Store store, ShardId shard) {
        this.store = store;
        this.shard = shard;
    }

    /** From the first page on. */
    void reset() {
        held.clear();
        last = null;
        more = true;
    }

    /** Whether there may be another page. */
    boolean more() {
        return more;
    }

    /** The next page, without what is in hand. */
    List<Delivery> page() {
        List<Delivery> page = store.queue(shard, last, PAGE);
        List<Delivery> fresh = page.stream().filter(this::hold).toList();
        // Only now: a store that fails is asked for the same page again.
        last = page.isEmpty() ? last : page.getLast();
        more = page.size() == PAGE;
        if (!more) {
            held.clear();
        }
        return fresh;
    }

    /** This one is in hand; false if it was before. */
    boolean hold(Delivery delivery) {
        ReadyMessages.InQueue place = more ? ReadyMessages.InQueue.of(delivery) : null;
        return place == null || held.add(place);
    }

    void letGo(Delivery delivery) {
        ReadyMessages.InQueue place = more ? ReadyMessages.InQueue.of(delivery) : null;
        if (place != null) {
            held.remove(place);
        }
    }
}
