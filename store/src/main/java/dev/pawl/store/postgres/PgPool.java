package dev.pawl.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.pawl.store.sql.ProviderWarning;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.Driver;

/** A pool of our own. The one class that refers to the pool's library: an application that has its own pool may leave it out. */
final class PgPool implements AutoCloseable {

    private static final int CONNECT_MILLIS = 10_000;

    private final PgReconnecting reconnecting;
    private final HikariDataSource pool;

    /**
     * Opens it, with a first connection.
     *
     * @param initSql what runs once on each new connection
     * @param what the server, for messages
     */
    PgPool(DataSource unpooled, int connectionsMax, String initSql, String what) {
        ProviderWarning.suppress();
        this.reconnecting = new PgReconnecting(unpooled);
        HikariConfig config = new HikariConfig();
        config.setDataSource(reconnecting);
        config.setPoolName("pawl");
        config.setMaximumPoolSize(connectionsMax);
        // It grows with what is asked of it and stays so large: a server process for each connection is dear to start.
        config.setMinimumIdle(1);
        config.setIdleTimeout(0);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setConnectionInitSql(initSql);
        try {
            this.pool = new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException e) {
            SQLException cause = PgErrors.cause(e);
            throw cause == null ? e : PgErrors.before(what, cause);
        }
    }

    /** Makes a new connection each time. */
    static DataSource unpooled(String url, Properties properties, String user, String password) {
        ProviderWarning.suppress();
        return new DriverDataSource(url, Driver.class.getName(), properties, user, password);
    }

    DataSource source() {
        return pool;
    }

    /** The server has answered; see {@link PgReconnecting}. */
    void opened() {
        reconnecting.opened();
    }

    @Override
    public void close() {
        pool.close();
    }
}
