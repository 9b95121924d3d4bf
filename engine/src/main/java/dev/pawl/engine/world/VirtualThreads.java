package dev.pawl.engine.world;

import dev.pawl.engine.task.FlowThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A virtual thread for each strand of a flow, and one platform thread for what is to be done a moment later. */
public final class VirtualThreads implements FlowThreads, AutoCloseable {

    /** What is held for company is held no longer. */
    private static final long MOMENT_MILLIS = 1;

    private final ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1,
            Thread.ofPlatform().daemon().name("pawl-moment").factory());

    private final ExecutorService platform =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("pawl-beside-", 0).factory());

    public VirtualThreads() {
        later.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void beside(Runnable work) {
        platform.execute(work);
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
    }
}
