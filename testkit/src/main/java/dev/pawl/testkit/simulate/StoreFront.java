package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What can stand between an engine and its store; for seeded bugs. */
public final class StoreFront {

    private StoreFront() {
    }

    /** Commits something else than it is given, or otherwise. */
    @FunctionalInterface
    public interface Committing {

        Commit commit(Fence fence, List<Bundle> bundles);
    }

    @SuppressWarnings("unchecked")
    public static Store committing(Store store, Committing committing) {
        return proxy(store, (method, args) -> method.equals("commit")
                ? committing.commit((Fence) args[0], (List<Bundle>) args[1])
                : null);
    }

    /** Runs a transaction in another way. */
    @FunctionalInterface
    public interface InTransaction {

        Commit transact(Fence fence, Transacted work) throws Exception;
    }

    public static Store transacting(Store store, InTransaction transacting) {
        return proxy(store, (method, args) -> method.equals("transact")
                ? transacting.transact((Fence) args[0], (Transacted) args[1])
                : null);
    }

    /** Accepts signals in another way. */
    public static Store signalling(Store store, Function<SignalRequest, SignalResult> signalling) {
        return proxy(store, (method, args) -> method.equals("signal")
                ? signalling.apply((SignalRequest) args[0])
                : null);
    }

    /** What is loaded is not what is stored. */
    public static Store loading(Store store, UnaryOperator<Snapshot> change) {
        return proxy(store, (method, args) -> method.equals("load")
                ? change.apply(store.load((WorkflowKey) args[0]))
                : null);
    }

    /** The bundles, some writes left out. */
    public static List<Bundle> without(List<Bundle> bundles, Predicate<Write> left) {
        return bundles.stream()
                .map(bundle -> new Bundle(bundle.workflow(), bundle.expectedVersion(), bundle.parts().stream()
                        .map(part -> new Part(part.step(),
                                part.writes().stream().filter(left.negate()).toList()))
                        .toList(), bundle.seal()))
                .toList();
    }

    /** The bundles, each write changed. */
    public static List<Bundle> each(List<Bundle> bundles, UnaryOperator<Write> change) {
        return bundles.stream()
                .map(bundle -> new Bundle(bundle.workflow(), bundle.expectedVersion(), bundle.parts().stream()
                        .map(part -> new Part(part.step(), part.writes().stream().map(change).toList()))
                        .toList(), bundle.seal()))
                .toList();
    }

    private interface Interception {

        @Nullable Object call(String method, Object[] args) throws Exception;
    }

    private static Store proxy(Store store, Interception interception) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, args);
                    }
                    Object[] given = args == null ? new Object[0] : args;
                    Object answer = interception.call(method.getName(), given);
                    try {
                        return answer != null ? answer : method.invoke(store, given);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
