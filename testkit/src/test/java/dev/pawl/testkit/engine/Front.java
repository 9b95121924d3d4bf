package dev.pawl.testkit.engine;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.BiFunction;

/** A store with something in front of it. */
final class Front {

    private Front() {
    }

    /** Every commit goes this way instead. */
    @SuppressWarnings("unchecked")
    static Store commits(Store store, BiFunction<Fence, List<Bundle>, Commit> commit) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, args);
                    }
                    if (method.getName().equals("commit")) {
                        return commit.apply((Fence) args[0], (List<Bundle>) args[1]);
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
