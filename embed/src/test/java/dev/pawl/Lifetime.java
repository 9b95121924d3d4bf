package dev.pawl;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A process that ends at a chosen moment: from then on nothing of it reaches its database any more, whatever it still does. The next
 * one on the same database finds what a crash leaves behind, leases included.
 */
final class Lifetime implements AutoCloseable {

    private static final String SQLITE = "jdbc:sqlite:";
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofMillis(50);

    final Pawl pawl;
    private final String url;
    private final Store store;
    private final CountDownLatch cut = new CountDownLatch(1);
    private volatile Predicate<Write> before = write -> false;
    private volatile Predicate<Write> after = write -> false;
    private volatile Predicate<Write> lost = write -> false;
    private volatile Predicate<Write> unheard = write -> false;
    private volatile boolean cutLater;
    private volatile String last = "";
    private volatile boolean beforeTransactions;

    Lifetime(String url, Flow<?, ?>... flows) {
        this(url, builder -> builder, flows);
    }

    Lifetime(String url, UnaryOperator<PawlBuilder> settings, Flow<?, ?>... flows) {
        this.url = url;
        this.store = store(url);
        Store front = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, args)
                        : call(method, args == null ? new Object[0] : args));
        PawlBuilder builder = Pawl.builder().shards(1).drainTimeout(Duration.ofMillis(20)).definitions(flows);
        // A process that is gone sends nothing any more; to try it for seconds would only make hundreds of tests slow.
        builder.handOverTimeout = HAND_OVER_TIMEOUT;
        this.pawl = settings.apply(builder).store(front).open();
    }

    /** The store itself, with nothing in between. */
    static Store store(String url) {
        return url.startsWith(SQLITE)
                ? SqliteStore.open(Path.of(url.substring(SQLITE.length())))
                : PostgresStore.open(url, "postgres", "postgres");
    }

    /** The beginning of an operation, in the row that says so. */
    static Predicate<Write> begins(String operation) {
        return write -> write instanceof Write.PutActivity put && put.activity().key().activity().equals(operation)
                && !put.activity().ledger().finalized();
    }

    /** The end of an operation, in the row that says so. */
    static Predicate<Write> ends(String operation) {
        return write -> write instanceof Write.PutActivity put && put.activity().key().activity().equals(operation)
                && put.activity().ledger().finalized();
    }

    /** Ends when this is about to be committed. */
    Lifetime cutBefore(Predicate<Write> write) {
        before = write;
        return this;
    }

    /** Ends when this has been committed, before anybody hears of it. */
    Lifetime cutAfter(Predicate<Write> write) {
        after = write;
        return this;
    }

    /** Does not end: the commit gets lost on its way, once, and nobody knows that. */
    Lifetime lose(Predicate<Write> write) {
        lost = write;
        return this;
    }

    /** Does not end: the commit comes through, once, and nobody knows that. */
    Lifetime loseAnswer(Predicate<Write> write) {
        unheard = write;
        return this;
    }

    /** Ends when the store has done this, before anybody hears of it. */
    Lifetime cutAfterCallOf(String method) {
        last = method;
        return this;
    }

    /** Ends when the statements of a transaction are about to run. */
    Lifetime cutBeforeTransactions() {
        beforeTransactions = true;
        return this;
    }

    /** Ends now. */
    void cut() {
        cut.countDown();
    }

    Lifetime awaitCut() throws InterruptedException {
        if (!cut.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("it has not come to where it was to end");
        }
        return this;
    }

    private @Nullable Object call(Method method, Object[] args) throws Throwable {
        boolean closing = method.getName().equals("close");
        if (cut.getCount() == 0 && !closing) {
            throw new StoreException.Unavailable("this process has ended", null);
        }
        boolean commit = method.getName().equals("commit");
        boolean transact = method.getName().equals("transact");
        if ((commit && any(args[1], before)) || (transact && beforeTransactions)) {
            cut();
            throw new StoreException.Unavailable("this process has ended", null);
        }
        if (commit && any(args[1], lost)) {
            lost = write -> false;
            throw new StoreException.CommitUnknown("nobody heard of it again", null);
        }
        if (transact) {
            args[1] = watched((Transacted) args[1]);
        }
        try {
            Object answer = method.invoke(store, args);
            if (cutLater || (commit && any(args[1], after)) || method.getName().equals(last)) {
                cut();
            }
            if (cut.getCount() == 0 && !closing) {
                throw new StoreException.CommitUnknown("this process has ended", null);
            }
            if (commit && any(args[1], unheard)) {
                unheard = write -> false;
                throw new StoreException.CommitUnknown("the answer got lost", null);
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** The end may come between the statements of a transaction and its commit, or after that. */
    private Transacted watched(Transacted work) {
        return connection -> {
            Bundle bundle = work.run(connection);
            if (cut.getCount() == 0 || any(List.of(bundle), before)) {
                cut();
                throw new StoreException.Unavailable("this process has ended", null);
            }
            cutLater = any(List.of(bundle), after);
            return bundle;
        };
    }

    @SuppressWarnings("unchecked")
    private static boolean any(Object bundles, Predicate<Write> write) {
        return ((List<Bundle>) bundles).stream().flatMap(bundle -> bundle.writes().stream()).anyMatch(write);
    }

    /** What is stored of an operation, seen from outside of the process; null if nothing is. */
    @Nullable ActivityRecord operation(String workflowId, String operation) {
        return FlowControl.operations(snapshot(workflowId)).stream()
                .filter(each -> each.key().activity().equals(operation)).findFirst().orElse(null);
    }

    /** Everything that is stored of a workflow, seen from outside of the process. */
    Snapshot snapshot(String workflowId) {
        return store.load(new WorkflowKey("default", workflowId));
    }

    /** What is stored, seen from outside of the process. */
    List<EffectRecord> effects(String workflowId) {
        return store.effects(new WorkflowKey("default", workflowId));
    }

    /** The process is gone; its leases are past their time, so that nobody has to wait for that. */
    @Override
    public void close() {
        pawl.close();
        if (cut.getCount() == 0) {
            execute(url, "update " + table(url, "shard") + " set expires_at = 0 where owner is not null");
            execute(url, "delete from " + table(url, "engine"));
        }
    }

    static String table(String url, String name) {
        return url.startsWith(SQLITE) ? name : "pawl." + name;
    }

    static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
