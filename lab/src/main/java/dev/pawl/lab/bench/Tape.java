package dev.pawl.lab.bench;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The commits of an engine as they went through the port, batch by batch, so that a store can be given them again without an engine. It
 * ends when it is full; what it holds by then fits an empty store.
 */
final class Tape {

    private final int bundlesMax;
    private final List<Batch> batches = new ArrayList<>();
    /** Before a shard is driven, starts go through its inbox, whose numbers only the first store knows: those are left out. */
    private final Set<WorkflowKey> cameByInbox = ConcurrentHashMap.newKeySet();
    private boolean runs;
    private int bundles;
    private long beganNanos;
    private long endedNanos;

    /** What one commit made durable. */
    record Batch(ShardId shard, List<Bundle> bundles) {
    }

    Tape(int bundlesMax) {
        this.bundlesMax = bundlesMax;
    }

    /** The store, with everything on tape that is committed to it while the tape runs. */
    Store around(Store store) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                new Recorder(store));
    }

    private final class Recorder implements InvocationHandler {

        private final Store store;

        Recorder(Store store) {
            this.store = store;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (arguments != null && arguments[0] instanceof Message.Start start) {
                cameByInbox.add(start.workflow());
            }
            long began = System.nanoTime();
            Object result;
            try {
                result = method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
            if (arguments != null && result instanceof Store.HandedIn handedIn) {
                return (Store.HandedIn) () -> answered((Fence) arguments[0], CountingStore.bundles(arguments[1]), began,
                        handedIn.answer());
            }
            return arguments != null && result instanceof Commit commit && method.getName().equals("commit")
                    ? answered((Fence) arguments[0], CountingStore.bundles(arguments[1]), began, commit)
                    : result;
        }

        private Commit answered(Fence fence, List<Bundle> batch, long began, Commit answer) {
            if (answer instanceof Commit.Committed) {
                committed(fence, batch, began);
            }
            return answer;
        }
    }

    /** What is committed before does not count; no workflow may be under way. */
    synchronized void start() {
        runs = true;
    }

    private synchronized void committed(Fence fence, List<Bundle> batch, long began) {
        if (runs && bundles < bundlesMax) {
            beganNanos = batches.isEmpty() ? began : beganNanos;
            endedNanos = System.nanoTime();
            batches.add(new Batch(fence.shard(), List.copyOf(batch)));
            bundles += batch.size();
        }
    }

    synchronized List<Batch> batches() {
        return batches.stream()
                .map(batch -> new Batch(batch.shard(), batch.bundles().stream()
                        .filter(bundle -> !cameByInbox.contains(bundle.workflow())).toList()))
                .filter(batch -> !batch.bundles().isEmpty()).toList();
    }

    /** From its first commit to its last one: so long the engine took for it. */
    synchronized double seconds() {
        return (endedNanos - beganNanos) / 1e9;
    }

    /** How many workflows came to their end on it. */
    long workflows() {
        return batches().stream().flatMap(batch -> batch.bundles().stream()).filter(Tape::ends).count();
    }

    private static boolean ends(Bundle bundle) {
        return bundle.writes().stream().anyMatch(write -> write instanceof Write.CloseWorkflow);
    }
}
