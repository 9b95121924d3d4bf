package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.engine.store.Transacted;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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

    @Test
    default void statementTextMayNotEndTheTransactionEither() throws Exception {
        Driver driver = probed();
        Bundle bundle = driver.compute(Driver.answer(driver.running(0), "a")).bundle();

        for (String text : List.of("commit", "  COMMIT;", "/* so */ commit", "-- so\ncommit",
                "insert into probe values (2); commit",
                "select ';'; rollback", "end", "begin", "savepoint mine")) {
            assertThatThrownBy(() -> store().transact(driver.fence, connection -> {
                insert(connection);
                execute(connection, text);
                return bundle;
            })).as(text).isInstanceOf(SQLException.class).hasMessageContaining("Return from the body to commit");
        }
        assertThatThrownBy(() -> store().transact(driver.fence, connection -> {
            insert(connection);
            connection.prepareStatement("commit").execute();
            return bundle;
        })).isInstanceOf(SQLException.class);
        assertThat(inserted(driver)).isZero();
    }

    @Test
    default void connectionIsOfNoUseAfterItsTransaction() throws Exception {
        Driver driver = probed();
        Bundle bundle = driver.compute(Driver.answer(driver.running(0), "a")).bundle();
        Connection[] kept = new Connection[2];
        PreparedStatement[] insert = new PreparedStatement[1];
        store().transact(driver.fence, connection -> {
            kept[0] = connection;
            kept[1] = connection.getMetaData().getConnection();
            insert[0] = connection.prepareStatement("insert into probe values (1)");
            return bundle;
        });

        assertThatThrownBy(() -> execute(kept[0], "insert into probe values (1)")).isInstanceOf(SQLException.class)
                .hasMessageContaining("which is over");
        assertThatThrownBy(() -> execute(kept[1], "insert into probe values (1)")).isInstanceOf(SQLException.class);
        assertThatThrownBy(insert[0]::execute).isInstanceOf(SQLException.class).hasMessageContaining("which is over");
        assertThat(inserted(driver)).isZero();
    }

    @Test
    default void statementsThatTakeTooLongAreStoppedAndRolledBack() throws Exception {
        Driver driver = probed();
        WorkflowKey key = driver.running(0);
        Snapshot before = store().load(key);
        Bundle bundle = driver.compute(Driver.answer(key, "a")).bundle();
        Transacted endless = new Transacted() {

            @Override
            public Bundle run(Connection connection) throws Exception {
                insert(connection);
                // Counts for minutes.
                execute(connection,
                        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000000)"
                                + " select count(*) from n");
                return bundle;
            }

            @Override
            public Duration longest() {
                return Duration.ofMillis(200);
            }
        };

        assertThatThrownBy(() -> store().transact(driver.fence, endless)).isInstanceOf(SQLException.class);
        assertThat(store().load(key)).isEqualTo(before);
        assertThat(inserted(driver)).isZero();
        driver.run(Driver.answer(key, "a"));
        assertThat(new Overlay(store().load(key)).started().version())
                .isEqualTo(new Overlay(before).started().version() + 1);
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
