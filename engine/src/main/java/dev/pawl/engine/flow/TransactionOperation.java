package dev.pawl.engine.flow;

import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advance.Change;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements in the engine's own database: they and their record are one transaction, so there is nothing in between to crash in. */
final class TransactionOperation<T extends @Nullable Object> {

    private final Scope scope;
    private final String id;
    private final ActivityKey key;
    private final Payload header;
    private final Type type;
    private final FlowContext.Transactional<T> body;

    /** What runs in the transaction; what it returns is committed with it. */
    interface Work {

        Change run(Connection connection) throws Exception;
    }

    /** The statements have ended with an error: it belongs to the flow, and not to the thread that they ran on. */
    private static final class Broken extends Exception {

        private static final long serialVersionUID = 1L;
        private final Error error;

        Broken(Error error) {
            super(error);
            this.error = error;
        }
    }

    TransactionOperation(Scope scope, String id, Payload header, Type type, FlowContext.Transactional<T> body) {
        this.scope = scope;
        this.id = id;
        this.key = FlowBehaviour.operation(id);
        this.header = header;
        this.type = type;
        this.body = body;
    }

    T run() {
        ActivityRecord known = scope.reach(id, header);
        if (known != null) {
            return scope.result(id, known, type);
        }
        int failures = 0;
        for (int attempt = 1;; attempt++) {
            try {
                return attempt(attempt);
            } catch (Exception e) {
                scope.checkAlive();
                // For a store that cannot be reached everything waits, and nothing fails.
                failures += e instanceof StoreException ? 0 : 1;
                if (e instanceof PayloadError || failures >= RetryPolicy.DEFAULT.maxAttempts()) {
                    throw failed(Results.Failure.of(e));
                }
                new WaitOperation(scope, Journal.pause(id, attempt)).pause(RetryPolicy.DEFAULT.backoff(attempt),
                        List.of(), null);
            }
        }
    }

    private T attempt(int number) throws Exception {
        Place place = scope.runtime().bodies().enter(scope, true);
        Payload[] output = new Payload[1];
        try {
            scope.transact(connection -> {
                Payload result = run(connection, number, place);
                output[0] = result;
                return new Advance.Do(key, header, result, new Request.Transacted(), null);
            });
        } catch (Broken e) {
            throw e.error;
        } finally {
            place.giveBack();
        }
        return scope.decode(id, output[0], type);
    }

    private Payload run(Connection connection, int number, Place place) throws Exception {
        try {
            return scope.runtime().bodies().runHere(new OperationBody.Job(scope.incarnation().key(), id,
                    RunningOperation.Kind.TRANSACTION, number, false), place,
                    () -> scope.codec().encode(body.run(connection), type));
        } catch (Error e) {
            throw new Broken(e);
        }
    }

    private OperationFailed failed(Results.Failure failure) {
        scope.hold(new Advance.Do(key, header, Results.failed(failure.payload()), new Request.Transacted(), null));
        return new OperationFailed(failure.code(), id, failure.type(), failure.message());
    }
}
