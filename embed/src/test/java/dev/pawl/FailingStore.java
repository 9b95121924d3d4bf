package dev.pawl;

import dev.pawl.engine.store.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real store whose calls fail when a test says so, before they reach the database. */
final class FailingStore {

    /** Throws what a call is to fail of. */
    interface Fault {

        void before(String method) throws RuntimeException;
    }

    private FailingStore() {
    }

    static Store of(String url, Fault fault) {
        Store store = Lifetime.store(url);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, args);
                    }
                    fault.before(method.getName());
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
