package dev.pawl.engine.flow;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of an incarnation, shared by all its parts: what is true of one of them is true of all when they act on it together.
 *
 * <p>The discipline: fields that say so are touched only while it is held. Methods that say "Under the lock" are called by who holds it;
 * all others take it themselves, and it may be taken twice. It is held while something is handed in, so that things are handed in in the
 * order in which they came about, and never while a thread waits or code of the user's runs. Who holds it never looks at what
 * {@link FlowRuntime} has in its own collections, for the runtime asks incarnations while it holds those.
 */
final class Guard {

    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable released;

    /** Calls this whenever a thread has let go of the lock. */
    Guard(Runnable released) {
        this.released = released;
    }

    /** What is done under the lock, and comes to something. */
    @FunctionalInterface
    interface Body<T extends @Nullable Object> {

        T run();
    }

    <T extends @Nullable Object> T locked(Body<T> body) {
        lock.lock();
        try {
            return body.run();
        } finally {
            unlock();
        }
    }

    /** The same for what comes to nothing. */
    void run(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            unlock();
        }
    }

    private void unlock() {
        lock.unlock();
        if (!lock.isHeldByCurrentThread()) {
            released.run();
        }
    }

    /** Of a method that is to be called under the lock. */
    void require() {
        if (!lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("to be called under the lock of the incarnation");
        }
    }
}
