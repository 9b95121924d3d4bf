package dev.pawl.store.postgres;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells of shards that have something in their inbox: who listens in this process at once, everybody else by NOTIFY. The server
 * lets one NOTIFY commit at a time, in all databases together, so none is part of a commit of ours: a thread of its own sends
 * them, each shard once in a while however often it is rung for. A hint that is lost does no harm.
 */
final class PgBell implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final PgConnections connections;
    private final String channel;
    private static final String FREED = " freed";
    private final List<Store.Listener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> untold = new LinkedHashSet<>();
    private @Nullable Thread ringer;
    private @Nullable PgEar ear;
    private boolean closed;

    PgBell(PgConnections connections) {
        this.connections = connections;
        this.channel = "pawl_" + connections.schema();
    }

    void ring(List<ShardId> shards) {
        shards.forEach(this::tell);
        ringFor(shards.stream().map(ShardId::toString).toList());
    }

    /** A shard may be claimed. */
    void freed(ShardId shard) {
        listeners.forEach(listener -> listener.freed(shard));
        ringFor(List.of(shard + FREED));
    }

    private void ringFor(List<String> words) {
        lock.lock();
        try {
            if (!closed && untold.addAll(words)) {
                if (ringer == null) {
                    ringer = Thread.ofPlatform().name("pawl-postgres-ringer").daemon().start(this::run);
                }
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nobody listens until somebody wants to be told: it takes a connection. */
    void listen(Store.Listener listener) {
        listeners.add(listener);
        lock.lock();
        try {
            if (!closed && ear == null) {
                ear = new PgEar(connections, channel, this::heard);
            }
        } finally {
            lock.unlock();
        }
    }

    private void tell(ShardId shard) {
        listeners.forEach(listener -> listener.posted(shard));
    }

    /** What this store has sent itself is known already. */
    private void heard(String said) {
        boolean freed = said.endsWith(FREED);
        String[] words = (freed ? said.substring(0, said.length() - FREED.length()) : said).split("[ /]", 4);
        if (words.length == 4 && !words[0].equals(connections.server().engine())) {
            ShardId shard = new ShardId(words[1], words[2], Integer.parseInt(words[3]));
            if (freed) {
                listeners.forEach(listener -> listener.freed(shard));
            } else {
                tell(shard);
            }
        }
    }

    private void run() {
        for (Set<String> next = next(); !next.isEmpty(); next = next()) {
            try {
                send(next.stream().map(shard -> connections.server().engine() + " " + shard).toArray(String[]::new));
            } catch (SQLException | StoreException e) {
                // Whoever waits looks now and then; there will be another hint.
            }
        }
    }

    /**
     * Waits a while, so that more may gather, and then for something to tell. What is left when the store is closed is told, too: the
     * last thing an engine does is to free its shards. Empty when that is done.
     */
    private Set<String> next() {
        lock.lock();
        try {
            long left = PAUSE_NANOS;
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            while (untold.isEmpty() && !closed) {
                changed.await();
            }
            Set<String> next = new LinkedHashSet<>(untold);
            untold.clear();
            return next;
        } catch (InterruptedException e) {
            return Set.of();
        } finally {
            lock.unlock();
        }
    }

    private void send(String[] words) throws SQLException {
        connections.borrow(connection -> {
            connection.setAutoCommit(true);
            // Of all that is written here this alone need not survive a crash.
            try (PreparedStatement notify = connection.prepareStatement("select set_config('synchronous_commit', 'off',"
                    + " true), count(pg_notify(?, said)) from unnest(?) as said")) {
                notify.setString(1, channel);
                notify.setArray(2, connection.createArrayOf("text", words));
                return notify.execute();
            }
        });
    }

    @Override
    public void close() {
        List<Thread> ending = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            if (ringer != null) {
                ending.add(ringer);
            }
            if (ear != null) {
                ending.add(ear.end());
            }
        } finally {
            lock.unlock();
        }
        try {
            for (Thread thread : ending) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
