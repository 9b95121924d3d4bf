package dev.pawl.engine.world;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads for user code, which may block in native code or compute for long. Safe for use by many threads.
 *
 * <p>No task waits for another one to end. While tasks are short, as many threads as there are processors take one after the other, and
 * handing one over costs little. A thread that is in the same task at two looks in a row, a millisecond apart, does not count any more: a
 * task that waits gets another thread then. So a queued task waits for two looks at most, whatever the others do. How many tasks there are
 * at a time is bounded by the caller.
 */
final class WorkerThreads implements Executor, AutoCloseable {

    private static final Logger LOG = System.getLogger(WorkerThreads.class.getName());

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** To start a thread takes some ten microseconds: one look starts no more. */
    private static final int STARTS_MAX = 64;

    private final int active = Math.max(2, Runtime.getRuntime().availableProcessors());
    private final ThreadFactory factory = Thread.ofPlatform().daemon().name("pawl-worker-", 1)
            .inheritInheritableThreadLocals(false).factory();
    /** That of the application, for libraries that look for their classes by it. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final Thread looking = Thread.ofPlatform().daemon().name("pawl-workers").unstarted(this::look);
    private final ReentrantLock lock = new ReentrantLock();
    // Under the lock.
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final Set<Worker> busy = new HashSet<>();
    /** The last to rest is the first to work: the others end when they have rested for long. */
    private final Deque<Worker> idle = new ArrayDeque<>();
    /** Of the busy ones. */
    private int stuck;
    private boolean looks;
    private boolean refused;
    /** Written under the lock, read without it. */
    private volatile boolean closed;

    /** One thread. Its fields are under the lock, but for what it is handed, which is read without it. */
    private final class Worker implements Runnable {

        private final Thread thread = factory.newThread(this);
        private volatile @Nullable Runnable task;
        private boolean seen;
        private boolean stuck;

        @Override
        public void run() {
            for (Runnable next = task; next != null; next = next(this)) {
                thread.setContextClassLoader(loader);
                try {
                    next.run();
                } catch (Throwable e) {
                    LOG.log(Level.ERROR, "unexpected, on " + thread.getName(), e);
                }
            }
        }
    }

    WorkerThreads() {
        looking.start();
    }

    /** Runs it at once or soon; it must throw nothing. */
    @Override
    public void execute(Runnable task) {
        Worker worker = null;
        boolean wakesLook = false;
        lock.lock();
        try {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            if (hasRoom() && queue.isEmpty()) {
                worker = hand(task);
            } else {
                queue.addLast(task);
                wakesLook = !looks;
                looks = true;
            }
        } finally {
            lock.unlock();
        }
        if (worker != null) {
            begin(worker);
        } else if (wakesLook) {
            LockSupport.unpark(looking);
        }
    }

    private boolean hasRoom() {
        return busy.size() - stuck < active;
    }

    /** Under the lock; to begin without it. */
    private Worker hand(Runnable task) {
        Worker rested = idle.pollLast();
        Worker worker = rested == null ? new Worker() : rested;
        worker.task = task;
        busy.add(worker);
        return worker;
    }

    private void begin(Worker worker) {
        if (worker.thread.getState() != Thread.State.NEW) {
            LockSupport.unpark(worker.thread);
            return;
        }
        try {
            worker.thread.start();
        } catch (OutOfMemoryError e) {
            // The system gives no more threads. The task waits for one of those that there are.
            notStarted(worker, e);
        }
    }

    private void notStarted(Worker worker, OutOfMemoryError why) {
        boolean first;
        lock.lock();
        try {
            first = !refused;
            refused = true;
            busy.remove(worker);
            queue.addFirst(Objects.requireNonNull(worker.task));
            looks = true;
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(looking);
        if (first) {
            LOG.log(Level.ERROR, "the system gives this process no more threads; operations wait for those it has."
                    + " Lower workersMax, or raise the limit of threads (ulimit -u, pids.max of the container)", why);
        }
    }

    /** What a thread does next, when it has ended something; null if it is to end. */
    private @Nullable Runnable next(Worker worker) {
        lock.lock();
        try {
            worker.task = null;
            if (worker.stuck) {
                stuck--;
            }
            worker.stuck = false;
            worker.seen = false;
            busy.remove(worker);
            if (!queue.isEmpty() && hasRoom()) {
                busy.add(worker);
                return queue.pollFirst();
            }
            if (closed) {
                return null;
            }
            idle.addLast(worker);
        } finally {
            lock.unlock();
        }
        return rest(worker);
    }

    private @Nullable Runnable rest(Worker worker) {
        long until = System.nanoTime() + IDLE_NANOS;
        while (true) {
            LockSupport.parkNanos(this, until - System.nanoTime());
            Runnable handed = worker.task;
            if (handed != null) {
                return handed;
            }
            if (closed || System.nanoTime() - until >= 0) {
                lock.lock();
                try {
                    idle.remove(worker);
                    // It may have been handed something at the last moment.
                    return worker.task;
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    private void look() {
        while (true) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            List<Worker> beginning = new ArrayList<>();
            boolean more;
            lock.lock();
            try {
                if (closed && queue.isEmpty()) {
                    return;
                }
                more = !queue.isEmpty();
                looks = more;
                if (more) {
                    count();
                    // All are stuck: more of the same kind are likely, so they get their threads at once.
                    int count = busy.size() == stuck ? Math.min(queue.size(), STARTS_MAX)
                            : Math.min(queue.size(), active - busy.size() + stuck);
                    for (int i = 0; i < count; i++) {
                        beginning.add(hand(Objects.requireNonNull(queue.pollFirst())));
                    }
                }
            } finally {
                lock.unlock();
            }
            beginning.forEach(this::begin);
            if (!more) {
                LockSupport.park(this);
            }
        }
    }

    private void count() {
        for (Worker worker : busy) {
            if (worker.seen && !worker.stuck) {
                worker.stuck = true;
                stuck++;
            }
            worker.seen = true;
        }
    }

    /** Takes nothing more. What runs or waits is not disturbed, and its threads end afterwards. */
    @Override
    public void close() {
        List<Worker> resting;
        lock.lock();
        try {
            closed = true;
            resting = List.copyOf(idle);
        } finally {
            lock.unlock();
        }
        resting.forEach(worker -> LockSupport.unpark(worker.thread));
        LockSupport.unpark(looking);
    }
}
