package dev.pawl.lab.torture;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.bundle.Bundle;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store that writes down which version was committed under which fence, and that may end the process in the middle. A proxy,
 * because it does the same to every method, and must not miss one that is added later.
 */
final class WatchedStore implements InvocationHandler {

    /** Noted when an owner could not hear what became of its bundles. */
    static final String COMMIT_UNKNOWN = "unknown commit";

    private final Store store;
    private final String owner;
    private final OutsideLog log;
    private final @Nullable Halt halt;

    private WatchedStore(Store store, String owner, OutsideLog log, @Nullable Halt halt) {
        this.store = store;
        this.owner = owner;
        this.log = log;
        this.halt = halt;
    }

    static Store of(Store store, String owner, OutsideLog log, @Nullable Halt halt) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                new WatchedStore(store, owner, log, halt));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("handIn") && arguments != null) {
            return handIn((Fence) arguments[0], bundles(arguments[1]));
        }
        before(method.getName());
        Object result;
        try {
            result = method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        after(method.getName());
        if (result instanceof Claim.Claimed claimed) {
            log.owned(claimed.fence(), owner);
        } else if (result instanceof Commit.Committed committed && arguments != null) {
            boolean batch = method.getName().equals("commit");
            committed((Fence) arguments[0], batch ? bundles(arguments[1]) : List.of(), committed);
        }
        return result;
    }

    private void before(String method) {
        if (halt != null) {
            halt.before(method);
        }
    }

    private void after(String method) {
        if (halt != null) {
            halt.after(method);
        }
    }

    private Store.HandedIn handIn(Fence fence, List<Bundle> bundles) {
        before("commit");
        Store.HandedIn handedIn = store.handIn(fence, bundles);
        return () -> {
            Commit answer;
            try {
                answer = handedIn.answer();
            } catch (StoreException.CommitUnknown e) {
                log.note(COMMIT_UNKNOWN);
                throw e;
            }
            after("commit");
            if (answer instanceof Commit.Committed committed) {
                committed(fence, bundles, committed);
            }
            return answer;
        };
    }

    @SuppressWarnings("unchecked") // The signature of Store.commit.
    private static List<Bundle> bundles(Object argument) {
        return (List<Bundle>) argument;
    }

    /**
     * A bundle that touches inboxes alone makes no version, nor does one for a workflow that was never started.
     *
     * @param bundles empty for that of a transaction, which is never one of those
     */
    private void committed(Fence fence, List<Bundle> bundles, Commit.Committed committed) {
        String versions = IntStream.range(0, committed.outcomes().size())
                .filter(i -> bundles.isEmpty() || !bundles.get(i).inboxOnly())
                .mapToObj(i -> committed.outcomes().get(i))
                .filter(outcome -> outcome.version() > 0)
                .map(outcome -> outcome.workflow().workflowId() + ":" + outcome.version())
                .collect(Collectors.joining(","));
        if (!versions.isEmpty()) {
            log.committed(fence, owner, versions);
        }
    }
}
