package dev.pawl.store.sqlite;

import dev.pawl.engine.store.Store;
import dev.pawl.testkit.contract.SqlStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest extends SqlStoreContract {

    @TempDir
    Path folder;

    @Override
    protected Store open() {
        Path file = folder.resolve("contract.db");
        SqliteTemplate.copyTo(file);
        return SqliteStore.open(file);
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
