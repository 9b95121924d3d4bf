package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One caller's connection to a store: where calls get lost, late, refused, or are the last thing the caller does. */
public final class SimLink {

    private final Store store;
    private final Consumer<Fence> robber;
    private final Faults faults;
    private final Faults.Counter calls = new Faults.Counter();
    private final Deque<Late> late = new ArrayDeque<>();
    private final Store port;
    private final Set<ShardId> readAgain = new HashSet<>();
    private boolean cut;

    private record Late(Fence fence, List<Bundle> bundles) {
    }

    /** What became of a commit that arrived late. */
    public enum Arrival {
        /** There was none. */
        NONE,
        /** The store took it, and its sender does not know yet: fine. */
        TAKEN,
        /** The store took it, although its sender has read the shard again since: it must never have been. */
        TAKEN_TOO_LATE,
        REFUSED
    }

    /**
     * A connection to a store, or to something in front of it.
     *
     * @param robber takes a shard from under its owner
     */
    public SimLink(Store store, Consumer<Fence> robber, Faults faults) {
        this.store = store;
        this.robber = robber;
        this.faults = faults;
        this.port = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, args)
                        : call(method, args == null ? new Object[0] : args));
    }

    /** The store as this caller sees it. */
    public Store store() {
        return port;
    }

    public Faults.Counter calls() {
        return calls;
    }

    /** The caller's process has ended: nothing it still does reaches the store. */
    public void cut() {
        cut = true;
    }

    /** A commit that was thought lost arrives now, if there is one. */
    public Arrival deliverLate() {
        Late commit = late.poll();
        if (commit == null) {
            return Arrival.NONE;
        }
        boolean taken = store.commit(commit.fence(), commit.bundles()) instanceof Commit.Committed;
        boolean tooLate = readAgain.contains(commit.fence().shard());
        return !taken ? Arrival.REFUSED : tooLate ? Arrival.TAKEN_TOO_LATE : Arrival.TAKEN;
    }

    private @Nullable Object call(Method method, Object[] args) throws Throwable {
        if (cut) {
            throw new SimCrash();
        }
        Operation operation = Operation.of(method.getName());
        Fault fault = operation == null ? null : faults.strike(operation, calls.next(operation));
        if (operation == Operation.QUEUE) {
            // A loop reads its queue after a claim and after raising its epoch, and at no other time.
            readAgain.add((ShardId) args[0]);
        }
        if (fault == null) {
            return reach(method, args);
        }
        boolean commit = operation == Operation.COMMIT;
        return switch (fault) {
            case BUSY -> throw new StoreException.Busy("the store is busy; try again", null);
            case FULL -> throw new StoreException.Full("the disk is full; make room and try again", null);
            case UNAVAILABLE -> throw StoreException.Unavailable.passing("the store cannot be reached", null);
            case CRASH_BEFORE -> throw new SimCrash();
            case CRASH_AFTER -> {
                reach(method, args);
                throw new SimCrash();
            }
            case LOST_ANSWER -> {
                reach(method, args);
                throw new StoreException.CommitUnknown("the connection broke before the answer came", null);
            }
            case LATE -> commit ? postpone(args) : reach(method, args);
            case TWICE -> commit ? twice(method, args) : reach(method, args);
            case STALE_FENCE -> commit || operation == Operation.TRANSACT ? robbed(method, args) : reach(method, args);
            case WRONG_VERSION -> commit ? wrongVersion(args) : reach(method, args);
        };
    }

    private @Nullable Object reach(Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(store, args);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    @SuppressWarnings("unchecked")
    private Object postpone(Object[] args) {
        Late commit = new Late((Fence) args[0], (List<Bundle>) args[1]);
        late.add(commit);
        readAgain.remove(commit.fence().shard());
        throw new StoreException.CommitUnknown("the connection broke while the commit was on its way", null);
    }

    private @Nullable Object twice(Method method, Object[] args) throws Throwable {
        Object first = reach(method, args);
        reach(method, args);
        return first;
    }

    private @Nullable Object robbed(Method method, Object[] args) throws Throwable {
        robber.accept((Fence) args[0]);
        return reach(method, args);
    }

    @SuppressWarnings("unchecked")
    private static Object wrongVersion(Object[] args) {
        List<Bundle> bundles = (List<Bundle>) args[1];
        long expected = bundles.isEmpty() ? 0 : bundles.getFirst().expectedVersion();
        return new Commit.Rejected(0, new Rejection.VersionConflict(expected, expected + 1));
    }
}
