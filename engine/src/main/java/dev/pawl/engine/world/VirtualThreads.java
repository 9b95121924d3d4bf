package dev.pawl.engine.world;

import dev.pawl.engine.task.FlowThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread for each strand of a flow, platform threads or an executor of the application's for user code, and one platform thread
 * for what is to be done a moment later.
 */
public final class VirtualThreads implements FlowThreads, AutoCloseable {

    private static final Logger LOG = System.getLogger(VirtualThreads.class.getName());

    /** What is held for company is held no longer. */
    private static final long MOMENT_MILLIS = 1;

    private final ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1,
            Thread.ofPlatform().daemon().name("pawl-moment").factory());

    private final ExecutorService platform =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("pawl-beside-", 0).factory());

    private final WorkerThreads workers = new WorkerThreads();
    private final Executor chosen;
    private final AtomicBoolean refused = new AtomicBoolean();

    /**
     * Starts its threads when they are needed.
     *
     * @param chosen where user code runs; null for platform threads of its own
     */
    public VirtualThreads(@Nullable Executor chosen) {
        this.chosen = chosen == null ? workers : chosen;
        later.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void beside(Runnable work) {
        platform.execute(work);
    }

    @Override
    public void work(Runnable body) {
        try {
            chosen.execute(body);
        } catch (RejectedExecutionException e) {
            if (chosen != workers && refused.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "the executor set by PawlBuilder.workers refuses operations (" + e.getMessage()
                        + "); those it refuses run on Pawl's own threads. Let it queue or run what it is handed");
            }
            workers.execute(body);
        }
    }

    @Override
    public void start(String name, Runnable code) {
        Thread.ofVirtual().name(name).start(code);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for it, and it throws nothing.
    public void soon(Runnable code) {
        if (!later.isShutdown()) {
            later.schedule(code, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        later.shutdownNow();
        platform.shutdown();
        workers.close();
    }
}
