package dev.pawl.engine.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Where the threads of flows come from, and where they block: in {@link #await} and nowhere else. */
public interface FlowThreads {

    /** Runs something that may block for as long as it likes. */
    void start(String name, Runnable code);

    /** Runs something that talks to a database: on a thread that such a thing may block. */
    void beside(Runnable work);

    /**
     * Runs user code that may block in native code or compute for long, on a thread that neither the engine nor the code of a flow needs. It
     * throws nothing.
     */
    void work(Runnable body);

    /** Runs something short a moment later. */
    void soon(Runnable code);

    /** Called by a thread of a flow whenever it has let go of the lock it shares with others: the simulator lets another one run here. */
    default void pause() {
    }

    /** Blocks the thread it is called on until something has come. */
    default <T extends @Nullable Object> T await(CompletableFuture<T> coming) {
        return coming.join();
    }

    /** The same, but not for longer than that. */
    default <T extends @Nullable Object> T await(CompletableFuture<T> coming, Duration longest)
            throws InterruptedException, ExecutionException, TimeoutException {
        return coming.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    }
}
