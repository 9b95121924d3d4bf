package dev.pawl.lab.torture;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Store;
import dev.pawl.lab.torture.effect.EffectClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A store that reports every renewal of its process's lease and every claim outside, before the engine hears of it: so whatever begins
 * under that renewal is known outside to have a lease.
 */
record LeaseReport(Store store, EffectClient client, long delayMillis) implements InvocationHandler {

    /**
     * Reports what comes through it.
     *
     * @param delayMillis how long a renewal is under way: so long a process that has just woken has no lease
     */
    static Store of(Store store, EffectClient client, long delayMillis) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                new LeaseReport(store, client, delayMillis));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        boolean renewal = method.getName().equals("renewAll");
        if (renewal) {
            Thread.sleep(delayMillis);
        }
        long sentNanos = System.nanoTime();
        try {
            Object result = method.invoke(store, arguments);
            if (result instanceof Claim.Claimed claimed) {
                client.owned(claimed.fence().shard().number(), claimed.fence().epoch());
            } else if (renewal && arguments != null) {
                client.renewed(sentNanos, ((Duration) arguments[3]).toNanos(), (Boolean) arguments[4]);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
