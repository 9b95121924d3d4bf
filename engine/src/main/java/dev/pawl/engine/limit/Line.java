package dev.pawl.engine.limit;

import dev.pawl.engine.store.SlotGrant;
import dev.pawl.engine.store.SlotHolder;
import dev.pawl.engine.store.SlotKey;
import dev.pawl.engine.store.SlotPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * All who wait here for slots in the same pools. One thread asks the store for as many of them as may be next, as long as somebody waits;
 * while there is no room it rests, until a slot is given back here, or one runs out, or a while has passed in which somebody elsewhere
 * may have given one back.
 */
final class Line {

    /** How many are asked for in one transaction. */
    private static final int BATCH_MAX = 100;
    private static final Duration REST_MAX = Duration.ofMillis(100);
    private static final Duration REST_MIN = Duration.ofMillis(1);

    private final Pools owner;
    private final String namespace;
    private final List<SlotPool> pools;
    private final FairQueue<SlotWait> queue = new FairQueue<>();
    private CompletableFuture<Void> news = new CompletableFuture<>();
    private final int batch;
    private boolean running;

    Line(Pools owner, String namespace, List<SlotPool> pools) {
        this.owner = owner;
        this.namespace = namespace;
        this.pools = pools;
        this.batch = pools.stream().mapToInt(SlotPool::max).reduce(BATCH_MAX, Math::min);
    }

    String namespace() {
        return namespace;
    }

    /** Only under the lock, like whatever asks or changes who waits. */
    SlotWait join(SlotHolder holder) {
        SlotWait waiter = new SlotWait(this, holder);
        queue.add(holder.fairKey(), waiter);
        if (!running) {
            running = true;
            owner.start("pawl-pool-" + pools.getFirst().name(), this::run);
        }
        return waiter;
    }

    void leave(SlotWait waiter) {
        owner.locked(() -> {
            // Whoever is asked for at this moment is still in the queue; what is granted then is given back.
            if (waiter.go() && !queue.remove(waiter.holder().fairKey(), waiter)) {
                owner.keeper().release(namespace, slots(waiter));
            }
            return true;
        });
    }

    /** What may be prolonged and given back. */
    private List<SlotKey> slots(SlotWait waiter) {
        return pools.stream().filter(pool -> pool.kind() == SlotPool.Kind.CONCURRENT)
                .map(pool -> new SlotKey(pool.name(), waiter.holder().name())).toList();
    }

    int waiting(String pool, SlotPool.Kind kind) {
        boolean ours = pools.stream().anyMatch(each -> each.name().equals(pool) && each.kind() == kind);
        return ours ? queue.size() : 0;
    }

    boolean idle() {
        return !running;
    }

    /** A slot has been given back, or all is over. */
    void nudge() {
        owner.locked(() -> news).complete(null);
    }

    private void run() {
        while (true) {
            List<SlotWait> next = owner.locked(() -> {
                if (queue.size() == 0 || owner.closed()) {
                    running = false;
                    return List.<SlotWait>of();
                }
                news = new CompletableFuture<>();
                return queue.next(batch);
            });
            if (next.isEmpty()) {
                return;
            }
            SlotGrant grant = owner.ask(store -> store.acquireSlots(namespace, owner.process(), pools,
                    next.stream().map(SlotWait::holder).toList()));
            if (grant != null) {
                granted(next.subList(0, grant.granted()));
            }
            if (grant == null || grant.granted() < next.size()) {
                owner.rest(owner.locked(() -> news), rest(grant));
            }
        }
    }

    private static Duration rest(@Nullable SlotGrant grant) {
        Duration until = grant == null || grant.retryAfter() == null ? REST_MAX : grant.retryAfter();
        return until.compareTo(REST_MAX) > 0 ? REST_MAX : until.compareTo(REST_MIN) < 0 ? REST_MIN : until;
    }

    private void granted(List<SlotWait> served) {
        List<SlotWait> have = new ArrayList<>();
        owner.locked(() -> {
            for (SlotWait waiter : served) {
                if (waiter.gone()) {
                    owner.keeper().release(namespace, slots(waiter));
                } else {
                    queue.served(waiter.holder().fairKey(), waiter);
                    owner.keeper().hold(namespace, slots(waiter));
                    have.add(waiter);
                }
            }
            return true;
        });
        have.forEach(waiter -> waiter.turn().complete(null));
    }
}
