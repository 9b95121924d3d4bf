package dev.pawl.engine.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection that user code has for the length of one transaction that is not its own: it can neither commit nor roll back, by method or
 * by statement text, and whatever it keeps of the connection is refused once the transaction is over. Safe for use by many threads.
 */
@SuppressWarnings("ReferenceEquality") // A proxy is equal to itself and to nothing else.
public final class LentConnection {

    private static final Set<String> OURS = Set.of("commit", "rollback", "abort", "setAutoCommit", "setSavepoint",
            "releaseSavepoint", "setTransactionIsolation", "setReadOnly", "setCatalog", "setSchema",
            "setNetworkTimeout", "setShardingKey", "setShardingKeyIfValid", "beginRequest", "endRequest", "unwrap");

    private final Connection lent;
    /** Held for reading by every call, and for writing by the end: when that returns, no call is under way. */
    private final ReadWriteLock calls = new ReentrantReadWriteLock();
    private volatile @Nullable String ended;

    public LentConnection(Connection real) {
        this.lent = wrap(Connection.class, real);
    }

    /** What user code gets. */
    public Connection connection() {
        return lent;
    }

    /** Refuses every call from now on, with this reason; the one under way may still end. The first reason stays. */
    public void refuse(String why) {
        if (ended == null) {
            ended = why;
        }
    }

    /** Refuses every call from now on; returns when none is under way any more. */
    public void end() {
        refuse("this connection was lent for one transaction, which is over; ask for what you need in the body of the"
                + " transaction and keep nothing of its connection");
        calls.writeLock().lock();
        try {
            // Nothing: a call that began earlier has ended now.
        } finally {
            calls.writeLock().unlock();
        }
    }

    private <T> T wrap(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, args) -> call(target, proxy, method, args)));
    }

    private @Nullable Object call(Object target, Object proxy, Method method, Object @Nullable [] args)
            throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(target, proxy, name, args);
        }
        if (name.equals("close") && target instanceof Connection) {
            return null;
        }
        if (target instanceof Connection && OURS.contains(name)) {
            throw new SQLException(
                    name + " is not for the statements of a transaction: Pawl commits them together with the"
                            + " record of the operation. Return from the body to commit, throw to roll back");
        }
        if (args != null && args.length > 0 && args[0] instanceof String sql && takesSql(name)) {
            TransactionControl.refuse(sql);
        }
        calls.readLock().lock();
        try {
            String why = ended;
            if (why != null && !name.equals("close")) {
                throw new SQLException(why);
            }
            return wrapped(method.invoke(target, args));
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        } finally {
            calls.readLock().unlock();
        }
    }

    private static @Nullable Object ofObject(Object target, Object proxy, String name, Object @Nullable [] args) {
        return switch (name) {
            case "equals" -> args != null && proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> target.toString();
        };
    }

    private static boolean takesSql(String method) {
        return method.startsWith("execute") || method.startsWith("prepare") || method.equals("addBatch");
    }

    /** Whatever leads back to the connection leads back to the lent one. */
    private @Nullable Object wrapped(@Nullable Object result) {
        return switch (result) {
            case CallableStatement statement -> wrap(CallableStatement.class, statement);
            case PreparedStatement statement -> wrap(PreparedStatement.class, statement);
            case Statement statement -> wrap(Statement.class, statement);
            case DatabaseMetaData data -> wrap(DatabaseMetaData.class, data);
            case Connection connection -> lent;
            case null, default -> result;
        };
    }
}
