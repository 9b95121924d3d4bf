package dev.pawl;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands the end of a workflow to the callers in this process that wait for it, when its commit is durable. The latest ends are kept, so that a
 * caller that starts a workflow and then asks for its result finds an end that came in between. Safe for use by many threads.
 *
 * <p>Every end has a number. A caller that notes the {@link #latest} number before it starts a workflow can tell whether an end may have been
 * missed since: because it was not kept for long enough, or because a shard changed its owner. Then, and only then, it has to read the store.
 */
final class Ends {

    /**
     * How many ends are kept, for callers that start a workflow and ask for its result at once: a third of a second at 30,000 ends in a
     * second. Callers that ask later than that read one row each.
     */
    private static final int KEPT_MAX = 10_000;
    private static final long KEPT_BYTES_MAX = 8 * 1024 * 1024;

    /** For callers that have not started the workflow themselves: it may have ended at any time. */
    static final long UNKNOWN = -1;

    private final Function<WorkflowKey, ShardId> shards;
    private final Map<WorkflowKey, List<Wait>> awaited = new HashMap<>();
    private final Map<WorkflowKey, Kept> kept = new LinkedHashMap<>();
    /** Callers that have something to read, and have not been woken. */
    private final Queue<Wait> notified = new ConcurrentLinkedQueue<>();
    private long keptBytes;
    private volatile long latest;
    /** Ends up to this number may have been missed. */
    private long missed;

    private record Kept(Write.CloseWorkflow end, long number) {
    }

    /** Nothing has ended. */
    Ends(Function<WorkflowKey, ShardId> shards) {
        this.shards = shards;
    }

    /** One caller that waits for one workflow. The caller closes it, and uses it on one thread. */
    final class Wait implements AutoCloseable {

        private final WorkflowKey workflow;
        private final Semaphore notices = new Semaphore(0);
        private boolean heard;
        private volatile Write.@Nullable CloseWorkflow end;
        private volatile boolean look;

        private Wait(WorkflowKey workflow) {
            this.workflow = workflow;
        }

        /** Whether the end cannot have been missed before this wait began. */
        boolean heard() {
            return heard;
        }

        /** The end, if it has come. */
        Write.@Nullable CloseWorkflow end() {
            return end;
        }

        /** Whether something has happened since the last {@link #looking} for which the store has to be read. */
        boolean look() {
            return look;
        }

        /** The store is about to be read. */
        void looking() {
            look = false;
        }

        /** Returns when there is a notice, or after so long. */
        void await(long millis) throws InterruptedException {
            if (notices.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                notices.drainPermits();
            }
        }

        private void wake() {
            notices.release();
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    /** The number of the latest end. */
    long latest() {
        return latest;
    }

    /**
     * Begins to wait.
     *
     * @param since the {@link #latest} number before the workflow was started; {@link #UNKNOWN} if this process has not started it
     */
    synchronized Wait await(WorkflowKey workflow, long since) {
        Wait wait = new Wait(workflow);
        Kept known = kept.get(workflow);
        if (since != UNKNOWN && known != null && known.number() > since) {
            wait.end = known.end();
        } else {
            awaited.computeIfAbsent(workflow, none -> new ArrayList<>(1)).add(wait);
            wait.heard = since >= missed;
        }
        return wait;
    }

    private synchronized void leave(Wait wait) {
        awaited.computeIfPresent(wait.workflow, (key, waits) -> {
            waits.remove(wait);
            return waits.isEmpty() ? null : waits;
        });
    }

    /** A workflow has ended, durably. Its callers go on with the next {@link #notified()}. */
    synchronized void ended(WorkflowKey workflow, Write.CloseWorkflow end) {
        keep(workflow, end);
        List<Wait> waits = awaited.remove(workflow);
        if (waits != null) {
            for (Wait wait : waits) {
                wait.end = end;
                notified.add(wait);
            }
        }
    }

    private void keep(WorkflowKey workflow, Write.CloseWorkflow end) {
        long number = latest + 1;
        Kept before = kept.remove(workflow);
        keptBytes += end.output().size() - (before == null ? 0 : before.end().output().size());
        kept.put(workflow, new Kept(end, number));
        for (Iterator<Kept> oldest = kept.values().iterator(); kept.size() > KEPT_MAX
                || keptBytes > KEPT_BYTES_MAX;) {
            Kept forgotten = oldest.next();
            oldest.remove();
            keptBytes -= forgotten.end().output().size();
            missed = Math.max(missed, forgotten.number());
        }
        latest = number;
    }

    /** A workflow is parked: its callers have to read why, those that begin to wait later included. Parking is rare, so all of these read once. */
    synchronized void parked(WorkflowKey workflow) {
        miss();
        lookAgain(awaited.getOrDefault(workflow, List.of()));
    }

    /** What was committed in a shard may not have been heard of here, or will not be: another owner, or an unknown outcome. */
    synchronized void lost(ShardId shard) {
        miss();
        awaited.forEach((workflow, waits) -> {
            if (shards.apply(workflow).equals(shard)) {
                lookAgain(waits);
            }
        });
    }

    /** Something has happened that callers do not hear of by waiting. */
    private void miss() {
        long number = latest + 1;
        missed = number;
        latest = number;
    }

    private void lookAgain(List<Wait> waits) {
        for (Wait wait : waits) {
            wait.look = true;
            notified.add(wait);
        }
    }

    /** Takes the callers that have something to read; each of them goes on when its result is run. */
    List<Runnable> notified() {
        List<Runnable> taken = new ArrayList<>();
        for (Wait wait = notified.poll(); wait != null; wait = notified.poll()) {
            taken.add(wait::wake);
        }
        return taken;
    }

    /** How many ends are kept, and how many workflows are waited for. */
    synchronized int size() {
        return kept.size() + awaited.size();
    }
}
