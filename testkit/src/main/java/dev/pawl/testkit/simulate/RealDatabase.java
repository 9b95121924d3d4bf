package dev.pawl.testkit.simulate;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.sim.SimDump;
import dev.pawl.testkit.sim.SimObserver;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Any store as the database of a simulated world. The engines' time is simulated, that of the leases is the store's own: so they are
 * long, and are made to run out when their owner is thought dead.
 */
public final class RealDatabase implements SimDatabase {

    private static final int PAGE = 1_000;

    private final Store store;
    private final Store observed;
    private SimObserver observer = SimObserver.NONE;

    /** Whoever used the store before is gone. */
    public RealDatabase(Store store) {
        this.store = store;
        this.observed = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, args)
                        : call(method, args == null ? new Object[0] : args));
        leases().stream().map(Lease::owner).filter(Objects::nonNull).forEach(this::gone);
    }

    @Override
    public Store store() {
        return observed;
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object call(Method method, Object[] args) throws Throwable {
        try {
            Object answer = method.invoke(store, args);
            if (answer instanceof Commit.Committed) {
                Fence fence = (Fence) args[0];
                observer.committed(fence, lease(fence.shard()).epoch(), (List<Bundle>) args[1]);
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    @Override
    public void observe(SimObserver newObserver) {
        observer = newObserver;
    }

    @Override
    public List<WorkflowRecord> all() {
        List<WorkflowRecord> all = new ArrayList<>();
        String cursor = null;
        do {
            Page<WorkflowRecord> page = store.workflows(WorkflowQuery.all(Scenario.NAMESPACE), cursor, PAGE);
            all.addAll(page.items());
            cursor = page.next();
        } while (cursor != null);
        return all;
    }

    @Override
    public int undelivered() {
        return leases().stream().map(Lease::shard)
                .mapToInt(shard -> store.inbox(shard, PAGE).size() + store.queue(shard, null, PAGE).size())
                .sum();
    }

    @Override
    public void rob(Fence fence) {
        abandon(lease(fence.shard()));
        if (store.claim(fence.shard(), "robber", Duration.ofMinutes(1),
                EngineSettings.FORMAT) instanceof Claim.Claimed claimed) {
            store.abandon(claimed.fence());
        }
    }

    @Override
    public void gone(String owner) {
        leases().stream().filter(lease -> owner.equals(lease.owner())).forEach(this::abandon);
        store.depart(Scenario.NAMESPACE, Scenario.GROUP, owner);
    }

    /** Not released: whoever takes it next must know that its owner has come to a bad end. */
    private void abandon(Lease lease) {
        store.abandon(new Fence(lease.shard(), lease.epoch()));
    }

    private List<Lease> leases() {
        return store.leases(Scenario.NAMESPACE, Scenario.GROUP);
    }

    private Lease lease(ShardId shard) {
        return leases().get(shard.number());
    }

    @Override
    public String dump(SimDump.Style style) {
        return "";
    }
}
