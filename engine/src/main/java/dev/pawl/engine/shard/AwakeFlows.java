package dev.pawl.engine.shard;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The flows whose code ran when the last owner ended, or had to. They begin again page by page: the first page is small, so that the first
 * flows are under way at once, and the next page begins when most of the last one have had something committed. So the number of flows
 * that replay at the same time is bounded, however many there are. Owned by one shard loop.
 */
final class AwakeFlows {

    /** All of a page fit into the cache, however small that is. */
    private static final int PAGE_MAX = WorkflowCache.WORKFLOWS_MIN;
    private static final int PAGE_MIN = PAGE_MAX / 10;

    /**
     * A flow may have nothing to commit for a long time, because it asks a verifier or waits for another process: others must not wait for
     * that.
     */
    private static final Duration PAGE_TIME_MAX = Duration.ofMillis(250);

    private final Store store;
    private final ShardId shard;
    private final WorkflowCache cache;
    private final FlowTable flows;
    private final HeadStart headStart;
    /** Those of the last pages of which nothing was committed yet. */
    private final Set<WorkflowKey> replaying = new HashSet<>();
    private int begun;
    private int size = PAGE_MIN;
    private long turn;
    /** The last page has begun in the turn before. */
    private boolean fresh;
    private @Nullable Waiting last;
    private Rest pause = Rest.OVER;
    private boolean done;

    AwakeFlows(Store store, ShardId shard, WorkflowCache cache, FlowTable flows, HeadStart headStart) {
        this.store = store;
        this.shard = shard;
        this.cache = cache;
        this.flows = flows;
        this.headStart = headStart;
    }

    /** From the first one on. */
    void reset() {
        replaying.clear();
        begun = 0;
        size = PAGE_MIN;
        last = null;
        pause = Rest.OVER;
        fresh = false;
        done = false;
    }

    /** When the next page begins at the latest; null if there is none. */
    @Nullable Instant next() {
        if (done && !fresh) {
            return null;
        }
        return mostReplay() && !fresh ? pause.until() : Instant.EPOCH;
    }

    /** Whether all of them have been found. */
    boolean done() {
        return done;
    }

    private boolean mostReplay() {
        return replaying.size() > begun / 2;
    }

    /** Begins the next page, unless most of the last one are still replaying; returns whether there was any. */
    boolean begin(Instant now) {
        turn++;
        if (fresh) {
            // Not when the page was asked for: in a process that has just begun, to read it takes as long as the pause.
            fresh = false;
            pause = Rest.of(PAGE_TIME_MAX, now);
            headStart.begin(now);
        }
        if (done || (mostReplay() && !pause.over(now))) {
            return false;
        }
        List<Waiting> page = store.awake(shard, last, size);
        if (!page.isEmpty() && page.getFirst().equals(last)) {
            throw new LedgerViolation("the store lists " + last + " again after itself");
        }
        cache.read(page.stream().map(Waiting::workflow).toList());
        replaying.clear();
        page.forEach(waiting -> {
            replaying.add(waiting.workflow());
            flows.found(waiting);
        });
        // Only now: a store that fails is asked for the same page again.
        last = page.isEmpty() ? last : page.getLast();
        done = page.size() < size;
        if (done) {
            flows.recovered();
        }
        begun = page.size();
        size = Math.min(2 * size, PAGE_MAX);
        fresh = !page.isEmpty();
        if (fresh) {
            headStart.read(now);
        }
        return fresh;
    }

    /** Something of this workflow is durable. */
    void committed(WorkflowKey workflow) {
        replaying.remove(workflow);
        headStart.committed(workflow, turn);
    }
}
