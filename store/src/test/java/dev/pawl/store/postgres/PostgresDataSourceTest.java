package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Response;
import dev.pawl.store.postgres.PostgresStore.Options;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store on connections of the user's: they come back as they went. */
class PostgresDataSourceTest {

    private static final String STATE = "select concat_ws(' ', current_setting('search_path'),"
            + " current_setting('synchronous_commit'), current_setting('plan_cache_mode'),"
            + " current_setting('enable_seqscan'), current_setting('transaction_isolation'),"
            + " current_setting('transaction_read_only'), (select count(*) from pg_listening_channels()))";

    /** As unlike our own as may be: transactions by hand, strict ones, and little care for durability. */
    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(EmbeddedServer.url());
        config.setUsername(EmbeddedServer.USER);
        config.setMaximumPoolSize(3);
        config.setAutoCommit(false);
        config.setIsolateInternalQueries(true);
        config.setConnectionInitSql("select set_config('search_path', 'somewhere, public', false),"
                + " set_config('default_transaction_isolation', 'serializable', false),"
                + " set_config('synchronous_commit', 'off', false)");
        return new HikariDataSource(config);
    }

    private static List<String> states(HikariDataSource pool) throws SQLException {
        List<String> states = new ArrayList<>();
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
            Connection connection = pool.getConnection();
            connections.add(connection);
            try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(STATE)) {
                row.next();
                states.add(row.getString(1) + " " + connection.getAutoCommit());
            }
        }
        for (Connection connection : connections) {
            connection.rollback();
            connection.close();
        }
        return states;
    }

    /** Something of everything: reads, transactions, commits written and refused. */
    private static void use(PostgresStore store) {
        Shop shop = new Shop(store);
        Fence fence = shop.claim(0);
        WorkflowKey key = shop.running(fence, 0);
        assertThat(store.start(Shop.start(key), Collation.inception(Shop.start(key), Shop.NOW)))
                .isInstanceOf(StartResult.AlreadyStarted.class);
        assertThat(store.signal(new SignalRequest(key, "topic", "id", true, new Response.Final(Shop.text("x")),
                Shop.NOW, Shop.NOW.plusSeconds(1)))).isInstanceOf(SignalResult.Accepted.class);
        assertThat(store.commit(fence, List.of(shop.compute(Shop.start(key)))))
                .isInstanceOf(Commit.Committed.class);
        assertThat(store.commit(fence, List.of(Collation.inception(Shop.start(key), Shop.NOW))))
                .isInstanceOf(Commit.Rejected.class);
        assertThat(store.commit(fence, List.of(shop.compute(Shop.answer(key, Shop.FIRST)))))
                .isInstanceOf(Commit.Committed.class);
        assertThat(store.workflows(WorkflowQuery.all(Shop.NAMESPACE), null, 10).items()).hasSize(1);
    }

    @Test
    void connectionsOfAPoolComeBackAsTheyWent() throws SQLException {
        try (HikariDataSource pool = pool()) {
            List<String> before = states(pool);
            try (PostgresStore store = PostgresStore.open(pool,
                    Options.STANDARD.inSchema(EmbeddedServer.freshSchema()))) {
                store.listen(shard -> {});
                use(store);
                assertThat(pool.isClosed()).isFalse();
            }
            assertThat(states(pool)).isEqualTo(before).containsOnly(
                    "somewhere, public off auto on serializable off 0 false");
        }
    }

    @Test
    void whatIsCommittedIsDurableWhateverThePoolsDefault() throws SQLException {
        String schema = EmbeddedServer.freshSchema();
        try (HikariDataSource pool = pool();
                PostgresStore store = PostgresStore.open(pool, Options.STANDARD.inSchema(schema))) {
            EmbeddedServer.run("create table " + schema + ".seen (setting text); create function " + schema
                    + ".see() returns trigger language plpgsql as 'begin insert into " + schema
                    + ".seen values (current_setting(''synchronous_commit'')); return null; end';");
            for (String table : List.of("event", "inbox", "shard")) {
                EmbeddedServer.run("create trigger see after insert or update on " + schema + "." + table
                        + " for each row execute function " + schema + ".see()");
            }
            use(store);

            assertThat(EmbeddedServer.ask("select string_agg(distinct setting, ' ') from " + schema + ".seen"))
                    .isEqualTo("on");
        }
    }

    @Test
    void plainDataSourceWillDo() {
        try (PostgresStore store = PostgresStore.open(EmbeddedServer.dataSource(),
                Options.STANDARD.inSchema(EmbeddedServer.freshSchema()))) {
            use(store);
        }
    }
}
