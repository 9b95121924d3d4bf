package dev.pawl.store.postgres;

import dev.pawl.engine.store.Store;
import dev.pawl.testkit.contract.SqlStoreContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class PostgresContractTest extends SqlStoreContract {

    private final String database = EmbeddedServer.freshDatabase();

    @Override
    protected Store open() {
        return EmbeddedServer.openDatabase(database);
    }

    @Override
    protected Store openAgain() {
        return open();
    }

    @AfterEach
    void drop() throws SQLException {
        EmbeddedServer.run("drop database " + database + " with (force)");
    }

    @Override
    public void pass(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }
}
