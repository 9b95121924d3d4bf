package dev.pawl.engine.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * How many may do something at a time, whoever asks. A slot is a lease: it is counted while it is there, and gone when its time is up.
 * So there is no number that could be wrong after a crash. Judged by the store's own clock.
 */
public interface Slots {

    /** How long a slot is kept for a process that is next and does not ask any more. */
    Duration KEPT = Duration.ofSeconds(1);

    /** How soon a process that is next may ask again. */
    Duration NEXT = Duration.ofMillis(10);

    /**
     * Takes a slot in every one of the pools for each of the first holders, as many as there is room for in all of them. How large a
     * pool is, is said by who asks. A holder that has slots in these pools already loses them first, so the same question may be asked
     * again.
     *
     * <p>Processes take turns. One that gets nothing where others have something is next in that pool, unless another one is: from then
     * on a slot is kept for it, until it has got some or has not asked for a second. One transaction.
     *
     * @param process who asks for all of them
     */
    SlotGrant acquireSlots(String namespace, String process, List<SlotPool> pools, List<SlotHolder> holders);

    /**
     * Prolongs slots from now on. One whose time was up is not prolonged: somebody else may have taken its place.
     *
     * @return those that were still held
     */
    Set<SlotKey> renewSlots(String namespace, Collection<SlotKey> slots, Duration ttl);

    /** Gives slots back; nothing happens to those that are not there. One transaction. */
    void releaseSlots(String namespace, Collection<SlotKey> slots);

    /** The pools that were asked for and how many of their slots are held, by name and kind. */
    List<PoolUse> pools(String namespace);

    /** Who holds slots of the pools of this name, by kind and holder. */
    List<HeldSlot> slots(String namespace, String pool, int limit);
}
