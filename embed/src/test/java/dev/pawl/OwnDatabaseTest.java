package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements in a database of the application's own: the table that says which of them have run must not get in anybody's way. */
class OwnDatabaseTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String KEPT = "create table booked (n integer not null)";

    private final AtomicInteger runs = new AtomicInteger();

    private static HikariDataSource source(String url, int connections, boolean autoCommit) {
        com.zaxxer.hikari.HikariConfig config = new com.zaxxer.hikari.HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setAutoCommit(autoCommit);
        return new HikariDataSource(config);
    }

    private Flow<Integer, String> flow(HikariDataSource own) {
        return Flow.named("book", Integer.class, String.class, (context, branches) -> {
            try {
                context.map(Collections.nCopies(branches, ""), branches,
                        (branch, item) -> branch.transaction("book", own, Integer.class, connection -> {
                            runs.incrementAndGet();
                            try (Statement statement = connection.createStatement()) {
                                return statement.executeUpdate("insert into booked values (1)");
                            }
                        }));
                return "booked";
            } catch (OperationFailed e) {
                return e.errorType() + " " + e.getMessage();
            }
        });
    }

    private static int count(String url) throws SQLException {
        try (Connection connection = java.sql.DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select (select count(*) from booked) + 100 *"
                        + " (select count(*) from pawl_effect)")) {
            row.next();
            return row.getInt(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void connectionThatComesWithoutAutoCommitIsGivenBackAsItCame(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Lifetime.execute(url, KEPT);
        try (HikariDataSource own = source(url, 1, false)) {
            Flow<Integer, String> flow = flow(own);
            try (Lifetime life = new Lifetime(kind.fresh(), flow)) {
                for (int i = 1; i <= 3; i++) {
                    assertThat(life.pawl.start(flow, "w" + i, 1).result(SOON)).isEqualTo("booked");
                    assertThat(count(url)).isEqualTo(i * 101);
                }
            }
            try (Connection connection = own.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
        assertThat(runs).hasValue(3);
    }

    /** What waits for a connection does not look at the clock; the lease may be over when it gets one. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void statementsThatWaitedForAConnectionDoNotRunUnderALeaseThatIsOver(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Lifetime.execute(url, KEPT);
        AtomicBoolean away = new AtomicBoolean();
        try (HikariDataSource own = source(url, 1, true);
                Pawl pawl = Pawl.builder().store(unrenewing(Lifetime.store(kind.fresh()), away)).shards(1)
                        .lease(Duration.ofMillis(600), Duration.ofMillis(100)).definitions(flow(own)).open()) {
            WorkflowHandle<String> handle;
            try (Connection taken = own.getConnection()) {
                handle = pawl.start(flow(own), "w", 1);
                while (own.getHikariPoolMXBean().getThreadsAwaitingConnection() == 0) {
                    Thread.sleep(5);
                }
                away.set(true);
                Thread.sleep(900);
                assertThat(taken.isClosed()).isFalse();
            }
            Thread.sleep(500);
            assertThat(runs).hasValue(0);

            away.set(false);
            assertThat(handle.result(SOON)).isEqualTo("booked");
        }
        assertThat(runs).hasValue(1);
        assertThat(count(url)).isEqualTo(101);
    }

    private static Store unrenewing(Store store, AtomicBoolean away) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("renewAll") && away.get()) {
                        throw new StoreException.Unavailable("away", null);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** "if not exists" is not enough on PostgreSQL: two who create at once meet in its catalogue. */
    @Test
    void manyWhoMissTheTableAtOnceAllFindIt() throws Exception {
        Databases.Kind postgres = Databases.all().filter(kind -> kind.name().equals("postgres")).findFirst()
                .orElseThrow();
        for (int round : IntStream.range(0, 3).toArray()) {
            String url = postgres.fresh();
            Lifetime.execute(url, KEPT);
            runs.set(0);
            try (HikariDataSource own = source(url, 8, true)) {
                Flow<Integer, String> flow = flow(own);
                try (Lifetime life = new Lifetime(postgres.fresh(), flow)) {
                    assertThat(life.pawl.start(flow, "w", 8).result(SOON)).as("round " + round).isEqualTo("booked");
                }
            }
            assertThat(count(url)).isEqualTo(808);
            assertThat(runs).hasValue(8);
        }
    }

    @Test
    void whoMayNotCreateTablesIsToldWhatToRunAndNeedsNoMoreThanThat() throws Exception {
        Databases.Kind postgres = Databases.all().filter(kind -> kind.name().equals("postgres")).findFirst()
                .orElseThrow();
        String url = postgres.fresh();
        String role = "clerk_" + url.replaceAll(".*/(flows_\\d+).*", "$1");
        Lifetime.execute(url, KEPT + "; create role " + role + " login password 'x'; grant insert on booked to " + role
                + "; revoke create on schema public from public");
        String restricted = url.replace("user=postgres", "user=" + role).replace("password=postgres", "password=x");
        try (HikariDataSource own = source(restricted, 2, true)) {
            Flow<Integer, String> flow = flow(own);
            try (Lifetime life = new Lifetime(postgres.fresh(), flow)) {
                assertThat(life.pawl.start(flow, "w1", 1).result(SOON)).contains("pawl_effect is not in this database",
                        "create table if not exists pawl_effect");
                assertThat(runs).hasValue(0);
                Lifetime.execute(url, "create table pawl_effect (effect_key varchar(700) not null primary key, result"
                        + " text); grant select, insert, update on pawl_effect to " + role);

                assertThat(life.pawl.start(flow, "w2", 1).result(SOON)).isEqualTo("booked");
            }
        }
        assertThat(count(url)).isEqualTo(101);
    }
}
