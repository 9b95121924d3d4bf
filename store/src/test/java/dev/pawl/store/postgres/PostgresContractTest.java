package dev.pawl.store.postgres;

import dev.pawl.engine.store.Store;
import dev.pawl.testkit.contract.SqlStoreContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

class PostgresContractTest extends SqlStoreContract {

    private final String schema = EmbeddedServer.freshSchema();

    @Override
    protected Store open() {
        return EmbeddedServer.open(schema);
    }

    @Override
    protected Store openAgain() {
        return open();
    }

    @Override
    public void pass(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }
}
