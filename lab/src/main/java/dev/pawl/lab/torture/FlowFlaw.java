package dev.pawl.lab.torture;

import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Bugs that are put between an engine and its store on purpose. A kind of torture that does not find them proves nothing. */
enum FlowFlaw {
    NONE,
    /** A new owner does not know in which process an attempt runs, and takes it for lost: what every hand-over once did. */
    FORGET_RUNNERS,
    /** The outcome of an attempt whose shard has a new owner never reaches that one. */
    LOSE_OUTCOMES,
    /** An engine takes its lease for longer than it is. */
    TRUST_A_LONGER_LEASE;

    private static final int LONGER = 20;

    /** The lease that an engine is configured with. */
    Duration lease(Duration real) {
        return this == TRUST_A_LONGER_LEASE ? real.multipliedBy(LONGER) : real;
    }

    Store front(Store store) {
        return this == NONE ? store
                : (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                        (proxy, method, arguments) -> call(store, method, arguments));
    }

    private @Nullable Object call(Store store, Method method, Object @Nullable [] arguments) throws Throwable {
        if (this == LOSE_OUTCOMES && arguments != null && arguments[0] instanceof SignalRequest request
                && request.signalName().startsWith("pawl:attempt:")) {
            return new SignalResult.Accepted(request.accepted());
        }
        if (this == TRUST_A_LONGER_LEASE && arguments != null) {
            for (int i = 0; i < arguments.length; i++) {
                if (arguments[i] instanceof Duration ttl) {
                    arguments[i] = ttl.dividedBy(LONGER);
                }
            }
        }
        try {
            Object result = method.invoke(store, arguments);
            return this == FORGET_RUNNERS && method.getName().startsWith("load") ? forgetful(result) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static @Nullable Object forgetful(@Nullable Object loaded) {
        return switch (loaded) {
            case Snapshot snapshot -> forgetful(snapshot);
            case Map<?, ?> many -> {
                Map<Object, Object> changed = new HashMap<>();
                many.forEach((key, value) -> changed.put(key, forgetful((Snapshot) value)));
                yield changed;
            }
            case null, default -> loaded;
        };
    }

    private static Snapshot forgetful(Snapshot loaded) {
        NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
        loaded.activities().forEach(each -> activities.put(each.key(), each.waker() instanceof Waker.Local local
                ? each.with(new Waker.Local(local.attempt(), "")) : each));
        return new Snapshot(loaded.workflow(), activities, loaded.guids(), loaded.joins(), loaded.signals());
    }
}
