package dev.pawl.store.sql;

import dev.pawl.engine.store.LentConnection;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.store.plan.Plan;
import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** User statements in a transaction of the store's. */
public final class Transacting {

    /** What came of it; the bundle is null if the statements never ran. */
    public record Outcome(Database.Verdict verdict, @Nullable Bundle bundle) {
    }

    /** What the statements threw, on its way out of code that knows of SQL errors only. */
    public static final class Thrown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Exception exception;

        public Thrown(Exception exception) {
            super(exception);
            this.exception = exception;
        }

        public Exception exception() {
            return exception;
        }
    }

    private Transacting() {
    }

    /** Runs the statements on this thread; what they throw comes out as {@link Thrown}. */
    public static Bundle run(Transacted work, Connection connection) {
        LentConnection lent = new LentConnection(connection);
        try {
            return work.run(lent.connection());
        } catch (Exception e) {
            throw new Thrown(e);
        } finally {
            lent.end();
        }
    }

    /** The plan of the bundle that came of them. */
    public static Plan plan(Bundle bundle) {
        return new Plan(List.of(bundle));
    }
}
