package dev.pawl.lab.bench;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.store.plan.Plan;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what goes through the port: calls that commit, and the rows they come to. Those of a batch are counted in some batches only, and
 * the others taken to be alike, so that counting costs next to nothing.
 */
final class CountingStore implements InvocationHandler {

    private static final int SAMPLED = 32;
    /** So many at the beginning are counted one by one: of workflows with few commits, no two need be alike. */
    private static final int COUNTED = 512;
    /** Acceptance and message. */
    private static final int SIGNAL_ROWS = 2;

    private final Store store;
    private final LongAdder commits = new LongAdder();
    private final LongAdder bundles = new LongAdder();
    private final LongAdder bundlesSampled = new LongAdder();
    private final LongAdder rowsSampled = new LongAdder();
    private final LongAdder otherRows = new LongAdder();

    CountingStore(Store store) {
        this.store = store;
    }

    Store proxy() {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, this);
    }

    long commits() {
        return commits.sum();
    }

    double rows() {
        return otherRows.sum() + (double) bundles.sum() * rowsSampled.sum() / Math.max(1, bundlesSampled.sum());
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object result;
        try {
            result = method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        return arguments == null ? result : count(method.getName(), arguments, result);
    }

    private Object count(String method, Object[] arguments, Object result) {
        switch (method) {
            case "commit" -> {
                if (result instanceof Commit.Committed) {
                    committed(bundles(arguments[1]));
                }
            }
            case "handIn" -> {
                Store.HandedIn handedIn = (Store.HandedIn) result;
                List<Bundle> batch = bundles(arguments[1]);
                return (Store.HandedIn) () -> {
                    Commit answer = handedIn.answer();
                    if (answer instanceof Commit.Committed) {
                        committed(batch);
                    }
                    return answer;
                };
            }
            case "start" -> {
                commits.increment();
                otherRows.add(1 + Recording.rows(new Plan(List.of((Bundle) arguments[1]))));
            }
            case "signal" -> {
                commits.increment();
                otherRows.add(SIGNAL_ROWS);
            }
            case "post" -> {
                commits.increment();
                otherRows.increment();
            }
            default -> {}
        }
        return result;
    }

    private void committed(List<Bundle> batch) {
        commits.increment();
        bundles.add(batch.size());
        if (commits.sum() <= COUNTED || commits.sum() % SAMPLED == 0) {
            bundlesSampled.add(batch.size());
            rowsSampled.add(Recording.rows(new Plan(batch)));
        }
    }

    @SuppressWarnings("unchecked") // The signature of Store.commit.
    static List<Bundle> bundles(Object argument) {
        return (List<Bundle>) argument;
    }
}
