package dev.pawl.engine.flow;

import dev.pawl.engine.task.FlowThreads;
import dev.pawl.engine.world.CpuTime;
import dev.pawl.engine.world.Ticker;
import dev.pawl.kernel.id.WorkflowKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports what holds others up, once for each time it happens: operations that run for long, virtual threads that do not get to run, and
 * operations that wait because too many run. It changes nothing. One thread gives it its turns.
 */
public final class Watchdog {

    private static final Logger LOG = System.getLogger(Watchdog.class.getName());

    /** Counts operations that ran for longer than {@code longOperationAfter}. */
    public static final String LONG = "LongOperationsTotal";
    /** Counts those of them that computed, instead of waiting for something. */
    public static final String COMPUTING = "CpuBoundOperationsTotal";
    /** Counts how often virtual threads did not run for a second or longer. */
    public static final String STARVED = "VirtualThreadsStarvedTotal";
    /** Counts how often operations had to wait because {@code workersMax} others ran. */
    public static final String FULL = "WorkersExhaustedTotal";

    private static final Duration STARVED_AFTER = Duration.ofSeconds(1);
    private static final Duration LOOK_MAX = Duration.ofSeconds(1);
    private static final int LOOKS_OF_LIMIT = 4;
    private static final int SHOWN_MAX = 5;

    private final Bodies bodies;
    private final FlowThreads threads;
    private final Supplier<Map<Thread, WorkflowKey>> flowThreads;
    private final AtomicLong longOperations = new AtomicLong();
    private final AtomicLong computing = new AtomicLong();
    private final AtomicLong starved = new AtomicLong();
    private final AtomicLong full = new AtomicLong();
    // Of the thread that gives it its turns.
    private final Map<OperationBody<?>, Sighting> seen = new HashMap<>();
    private Duration longAfter = Duration.ofSeconds(10);
    private long placesLookedAt = Ticker.nanos();
    private boolean isFull;
    private @Nullable Heartbeat heartbeat;

    /** When an operation was first seen, by a clock that is never set, and how much its thread had computed then. */
    private static final class Sighting {

        private final long at;
        private final long cpu;
        private boolean reported;

        Sighting(long at, long cpu) {
            this.at = at;
            this.cpu = cpu;
        }
    }

    /** A virtual thread that has nothing to do but to run. */
    private static final class Heartbeat {

        private final long at = Ticker.nanos();
        private volatile boolean came;
        private boolean reported;
    }

    Watchdog(Bodies bodies, FlowThreads threads, Supplier<Map<Thread, WorkflowKey>> flowThreads) {
        this.bodies = bodies;
        this.threads = threads;
        this.flowThreads = flowThreads;
    }

    Watchdog reporting(Duration newLongAfter) {
        longAfter = newLongAfter;
        return this;
    }

    /** How long to rest between two looks. */
    public Duration every() {
        Duration part = longAfter.dividedBy(LOOKS_OF_LIMIT);
        return part.compareTo(LOOK_MAX) < 0 ? part : LOOK_MAX;
    }

    Map<String, Long> counters() {
        return Map.of(LONG, longOperations.get(), COMPUTING, computing.get(), STARVED, starved.get(), FULL,
                full.get());
    }

    /** One look. */
    public void look() {
        long now = Ticker.nanos();
        lookForLong(now);
        lookForStarved(now);
        if (now - placesLookedAt >= LOOK_MAX.toNanos()) {
            placesLookedAt = now;
            lookAtPlaces();
        }
    }

    private void lookForLong(long now) {
        Set<OperationBody<?>> running = new HashSet<>(bodies.running());
        seen.keySet().retainAll(running);
        List<OperationBody<?>> reported = new ArrayList<>();
        for (OperationBody<?> body : running) {
            Sighting sighting = seen.computeIfAbsent(body, first -> new Sighting(now, cpu(first.thread())));
            // One with a heartbeat says itself that it is at work, and is ended if it does not.
            if (!sighting.reported && !body.job().beats() && now - sighting.at >= longAfter.toNanos()) {
                sighting.reported = true;
                reported.add(body);
            }
        }
        if (!reported.isEmpty()) {
            reportLong(reported);
        }
    }

    private static long cpu(@Nullable Thread thread) {
        return thread == null ? -1 : CpuTime.nanos(thread);
    }

    private void reportLong(List<OperationBody<?>> reported) {
        longOperations.addAndGet(reported.size());
        int processors = Runtime.getRuntime().availableProcessors();
        List<String> shown = new ArrayList<>();
        long computes = 0;
        boolean engineDatabase = false;
        for (OperationBody<?> body : reported) {
            Thread thread = body.thread();
            ThreadView view = thread == null ? ThreadView.NONE : ThreadView.of(thread);
            computes += view.computes() ? 1 : 0;
            engineDatabase |= body.job().kind() == RunningOperation.Kind.TRANSACTION;
            if (shown.size() < SHOWN_MAX) {
                shown.add(line(body, thread, view));
            }
        }
        computing.addAndGet(computes);
        StringBuilder message = new StringBuilder().append(reported.size())
                .append(reported.size() == 1 ? " operation has" : " operations have").append(" run for more than ")
                .append(longAfter).append(':').append(String.join("", shown));
        if (reported.size() > shown.size()) {
            message.append("\n  and ").append(reported.size() - shown.size()).append(" more");
        }
        message.append("\nEach runs on a thread of its own, and other workflows go on. Give it a time limit"
                + " (Activity.timeout) or a heartbeat (Activity.heartbeat), or look at what it waits for.");
        if (engineDatabase) {
            message.append(" A transaction in the engine's database holds a connection while it runs, and on SQLite the"
                    + " only one that writes: no workflow of that file goes on until it has ended. Do what takes long"
                    + " before it, in a step.");
        }
        if (computes > 0) {
            message.append(' ').append(computes).append(" of them compute, on ").append(processors)
                    .append(processors == 1 ? " processor" : " processors").append(
                            "; that slows everything else down. Limit how many do so at a time (Activity.limit), or let"
                                    + " them run in another process.");
        }
        LOG.log(Level.WARNING, message.toString());
    }

    private String line(OperationBody<?> body, @Nullable Thread thread, ThreadView view) {
        RunningOperation operation = body.described();
        Sighting sighting = seen.get(body);
        long cpu = thread == null || sighting == null || sighting.cpu < 0 ? -1 : cpu(thread) - sighting.cpu;
        return "\n  " + operation
                + (operation.since() == null ? ", which waits for a thread of the executor set by PawlBuilder.workers"
                        : ", since " + operation.since() + ", on " + (thread == null ? "no thread" : view.name()))
                + (cpu < 0 ? "" : ", " + Duration.ofNanos(cpu).toMillis() + " ms of processor time")
                + view.frames();
    }

    private void lookForStarved(long now) {
        Heartbeat last = heartbeat;
        if (last == null || last.came) {
            Heartbeat next = new Heartbeat();
            heartbeat = next;
            threads.start("pawl-heartbeat", () -> next.came = true);
        } else if (!last.reported && now - last.at >= STARVED_AFTER.toNanos()) {
            last.reported = true;
            starved.incrementAndGet();
            LOG.log(Level.WARNING, "virtual threads have not run for " + Duration.ofNanos(now - last.at).toMillis()
                    + " ms: the code of flows stands still until they do. Their carrier threads are held by:"
                    + holders()
                    + "\nDo what computes for long or blocks in native code in a step or an activity, not in the code of"
                    + " the flow itself; the same holds for virtual threads of the application's own."
                    + " Operations that run on virtual threads by PawlBuilder.workers need another executor");
        }
    }

    private String holders() {
        List<String> holders = new ArrayList<>();
        for (OperationBody<?> body : bodies.running()) {
            Thread thread = body.thread();
            if (thread != null && thread.isVirtual()) {
                add(holders, body.described().toString(), ThreadView.of(thread));
            }
        }
        flowThreads.get().forEach((thread, workflow) -> add(holders, workflow.workflowId() + " (the code of the flow)",
                ThreadView.of(thread)));
        return holders.isEmpty() ? "\n  virtual threads that are not Pawl's, or other load of this machine"
                : String.join("", holders.subList(0, Math.min(holders.size(), SHOWN_MAX)));
    }

    private static void add(List<String> holders, String who, ThreadView view) {
        if (view.mounted()) {
            holders.add("\n  " + who + view.frames());
        }
    }

    private void lookAtPlaces() {
        Places places = bodies.places();
        int waiting = places.waiting();
        if (waiting > 0 && !isFull) {
            full.incrementAndGet();
            LOG.log(Level.WARNING, places.used() + " operations run, and " + waiting + " wait until one of them ends:"
                    + " the limit is PawlBuilder.workersMax. Raise it if they only wait for others; each has a thread");
        }
        isFull = waiting > 0;
        places.look();
    }
}
