package dev.pawl;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A real store whose calls fail when a test wants it, before or after they have done their work. */
final class FaultyStore {

    final Store front;
    private final Store store;
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger lostAnswers = new AtomicInteger();
    private volatile Set<String> methods = Set.of();
    private volatile CountDownLatch refused = new CountDownLatch(1);
    private volatile String held = "";
    private volatile CountDownLatch holding = new CountDownLatch(0);
    /** Methods called by threads whose name begins with {@code caller}. */
    final Set<String> calledByCallers = new ConcurrentSkipListSet<>();

    FaultyStore(String url) {
        this.store = Lifetime.store(url);
        this.front = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, args)
                        : call(method, args));
    }

    /** The next calls of these methods find no store. */
    void refuse(int calls, String... names) {
        methods = Set.of(names);
        refused = new CountDownLatch(1);
        refusals.set(calls);
    }

    /** Open when a call was refused since {@link #refuse}. */
    CountDownLatch refusal() {
        return refused;
    }

    /** The next calls of these methods are done, and their callers do not hear of it. */
    void loseAnswers(int calls, String... names) {
        methods = Set.of(names);
        lostAnswers.set(calls);
    }

    /** The next call of this method is done, and its caller hears of it only when the latch is open. */
    void holdAnswer(String name, CountDownLatch until) {
        held = name;
        holding = until;
    }

    private void hold(Method method) throws InterruptedException {
        if (method.getName().equals(held)) {
            held = "";
            holding.await();
        }
    }

    private Object call(Method method, Object[] args) throws Throwable {
        boolean chosen = methods.contains(method.getName());
        if (Thread.currentThread().getName().startsWith("caller")) {
            calledByCallers.add(method.getName());
        }
        if (chosen && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            refused.countDown();
            throw StoreException.Unavailable.passing("the test has the store away", null);
        }
        try {
            Object result = method.invoke(store, args);
            hold(method);
            if (chosen && lostAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new StoreException.CommitUnknown("the test has lost the answer", null);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
