package dev.pawl.engine.shard;

import dev.pawl.kernel.id.WorkflowKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The first flows that a new engine finds are under way before it reads other shards. At that moment nothing of the process is warm: what those
 * flows run is loaded and compiled while they run it, and whatever is read beside them takes the processor from them. Once in the life of an
 * engine, and never for long. Safe for use by many threads.
 */
final class HeadStart {

    /** Flows that have nothing to commit do not keep the others waiting. */
    private static final Duration LONGEST = Duration.ofMillis(400);
    /** So soon after they were asked for they begin; if not, the shard is lost, or the store. */
    private static final Duration READING_MAX = Duration.ofSeconds(2);

    private final Runnable ending;
    /** In which turn of their shard flows have committed something for the first time. */
    private final Map<WorkflowKey, Long> committed = new ConcurrentHashMap<>();
    private volatile Rest rest = Rest.OVER;
    private volatile boolean read;
    private volatile boolean begun;
    private volatile boolean ended;

    /** Has not begun. Calls this when it ends before its time. */
    HeadStart(Runnable ending) {
        this.ending = ending;
    }

    /** Flows that the last owner has left are read, in a turn that began then. */
    void read(Instant now) {
        if (!read) {
            read = true;
            rest = Rest.of(READING_MAX, now);
        }
    }

    /** They begin, in the turn after that: it is from here that their time is counted, however long it took to read them. */
    void begin(Instant now) {
        if (!begun) {
            begun = true;
            rest = Rest.of(LONGEST, now);
        }
    }

    /** Something of a workflow is durable. The first commit may only declare a step; when there is a second one, the step has run. */
    void committed(WorkflowKey workflow, long turn) {
        if (read && !ended) {
            Long first = committed.putIfAbsent(workflow, turn);
            if (first != null && first < turn) {
                ended = true;
                committed.clear();
                ending.run();
            }
        }
    }

    /** Whether no other shard is to be read. */
    boolean holds(Instant now) {
        return !ended && !rest.over(now);
    }

    /** When it is over at the latest. */
    Instant until() {
        return rest.until();
    }
}
