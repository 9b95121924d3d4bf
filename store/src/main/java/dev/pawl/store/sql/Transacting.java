package dev.pawl.store.sql;

import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.store.plan.Plan;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Somebody else's statements in a transaction of ours. */
public final class Transacting {

    private static final Set<String> OURS = Set.of("commit", "rollback", "abort", "setAutoCommit", "setSavepoint",
            "releaseSavepoint", "setTransactionIsolation", "setReadOnly", "setCatalog", "setSchema",
            "setNetworkTimeout", "beginRequest", "endRequest", "unwrap");

    /** What came of it; the bundle is null if the statements never ran. */
    public record Outcome(Database.Verdict verdict, @Nullable Bundle bundle) {
    }

    /** What the statements threw, on its way out of code that knows of SQL errors only. */
    public static final class Thrown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Exception exception;

        Thrown(Exception exception) {
            super(exception);
            this.exception = exception;
        }

        public Exception exception() {
            return exception;
        }
    }

    private Transacting() {
    }

    /** Runs the statements; what they throw comes out as {@link Thrown}. */
    public static Bundle run(Transacted work, Connection connection) {
        try {
            return work.run(guarded(connection));
        } catch (Exception e) {
            throw new Thrown(e);
        }
    }

    /** The plan of the bundle that came of them. */
    public static Plan plan(Bundle bundle) {
        return new Plan(List.of(bundle));
    }

    /** A connection whose transaction is not its user's to end. */
    private static Connection guarded(Connection connection) {
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] {Connection.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    if (OURS.contains(method.getName())) {
                        throw new SQLException(method.getName() + " is not for the statements of a step: they are"
                                + " committed together with the record of the step");
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
