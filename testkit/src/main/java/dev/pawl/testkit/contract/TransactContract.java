package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The user's statements and a bundle: both or neither. For stores that have connections to give. */
interface TransactContract extends ContractWorld {

    @Test
    default void statementsAndBundleAreCommittedTogether() throws Exception {
        Driver driver = probed();
        WorkflowKey key = driver.running(0);
        Bundle bundle = driver.compute(Driver.answer(key, "a")).bundle();

        assertThat(store().transact(driver.fence, connection -> {
            insert(connection);
            return bundle;
        })).isInstanceOf(Commit.Committed.class);
        assertThat(inserted(driver)).isOne();
        assertThat(new Overlay(store().load(key)).started().version()).isEqualTo(bundle.expectedVersion() + 1);
    }

    @Test
    default void staleFenceRunsNoStatements() throws Exception {
        Driver driver = probed();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);
        Bundle bundle = driver.compute(Driver.answer(key, "a")).bundle();
        AtomicBoolean ran = new AtomicBoolean();
        store().raise(driver.fence, Duration.ofMinutes(10));

        assertThat(store().transact(driver.fence, connection -> {
            ran.set(true);
            insert(connection);
            return bundle;
        })).isInstanceOf(StaleOwner.class);
        assertThat(ran).isFalse();
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void refusedBundleTakesTheStatementsWithIt() throws Exception {
        Driver driver = probed();
        WorkflowKey key = driver.running(0);
        Bundle late = driver.compute(Driver.answer(key, "a")).bundle();
        driver.run(Driver.answer(key, "b"));
        Snapshot before = store().load(key);

        assertThat(store().transact(driver.fence, connection -> {
            insert(connection);
            return late;
        })).isInstanceOf(Commit.Rejected.class);
        assertThat(inserted(driver)).isZero();
        assertThat(store().load(key)).isEqualTo(before);
    }

    @Test
    default void whatStatementsThrowIsThrownAndNothingIsLeft() throws Exception {
        Driver driver = probed();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);

        assertThatThrownBy(() -> store().transact(driver.fence, connection -> {
            insert(connection);
            throw new IOException("no");
        })).isInstanceOf(IOException.class).hasMessage("no");
        assertThatThrownBy(() -> store().transact(driver.fence, connection -> {
            insert(connection);
            execute(connection, "insert into nothing_of_the_kind values (1)");
            throw new IllegalStateException("not reached");
        })).isInstanceOf(SQLException.class);
        assertThat(inserted(driver)).isZero();
        assertThat(store().load(key)).isEqualTo(before);

        driver.run(Driver.answer(key, "a"));
        assertThat(new Overlay(store().load(key)).started().version())
                .isEqualTo(new Overlay(before).started().version() + 1);
    }

    @Test
    default void statementsMayNotEndTheTransaction() throws Exception {
        Driver driver = probed();
        Bundle bundle = driver.compute(Driver.answer(driver.running(0), "a")).bundle();

        assertThatThrownBy(() -> store().transact(driver.fence, connection -> {
            insert(connection);
            connection.commit();
            return bundle;
        })).isInstanceOf(Exception.class);
        assertThat(inserted(driver)).isZero();
    }

    /** A workflow's owner, and a table of the user's beside the store's. */
    private Driver probed() throws Exception {
        Driver driver = driver();
        Bundle bundle = driver.compute(Driver.start(driver.key(9))).bundle();
        store().transact(driver.fence, connection -> {
            // Where the user's tables are need not be where the store's are: another test may have left it.
            execute(connection, "create table if not exists probe (n integer)");
            execute(connection, "delete from probe");
            return bundle;
        });
        return driver;
    }

    private static void insert(Connection connection) throws SQLException {
        execute(connection, "insert into probe values (1)");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Read in a transaction that leaves nothing. */
    private int inserted(Driver driver) throws Exception {
        int[] count = new int[1];
        assertThatThrownBy(() -> store().transact(driver.fence, connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("select count(*) from probe")) {
                found.next();
                count[0] = found.getInt(1);
            }
            throw new IOException("read");
        })).isInstanceOf(IOException.class);
        return count[0];
    }
}
