package dev.pawl.lab.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.migrations.MigrationManager;
import dev.dbos.transact.workflow.WorkflowHandle;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import javax.sql.DataSource;

/** DBOS Transact in the process of its clients, with its default settings but for the number of connections. */
final class DbosEngine implements OpenEngine {

    private static final int BORROW_MILLIS_MAX = 60_000;

    private final HikariDataSource connections;
    private final DBOS dbos;
    private final DbosFlows flows;
    private final int fanOut;

    /**
     * Opens it on a database, and makes its tables if they are not there.
     *
     * @param connectionsMax by its own defaults it has 10; with 50 it is half as fast again
     */
    DbosEngine(String url, int connectionsMax, int fanOut) {
        this.fanOut = fanOut;
        this.connections = connections(url, connectionsMax);
        this.dbos = new DBOS(config(connections));
        DbosCode code = new DbosCode(dbos);
        this.flows = dbos.registerProxy(DbosFlows.class, code);
        code.through(flows);
        dbos.launch();
    }

    private static DBOSConfig config(DataSource connections) {
        return DBOSConfig.defaults("bench").withDataSource(connections).withAppVersion("1");
    }

    /** Makes its tables. */
    static void prepare(String url) {
        try (HikariDataSource connections = connections(url, 2)) {
            MigrationManager.runMigrations(config(connections));
        }
    }

    /** What DBOS sets for connections of its own. */
    private static HikariDataSource connections(String url, int max) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(max);
        config.setMinimumIdle(max);
        config.setConnectionTimeout(BORROW_MILLIS_MAX);
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        return new HikariDataSource(config);
    }

    @Override
    public Begun start(FlowWorkload workload, int number) {
        StartWorkflowOptions options = new StartWorkflowOptions(workload.label() + "-" + number);
        return new Started(switch (workload) {
            case W1 -> dbos.startWorkflow(() -> flows.inSequence(number, FlowWorkload.STEPS), options);
            case W2 -> dbos.startWorkflow(() -> flows.inSequence(number, 1), options);
            case W3 -> dbos.startWorkflow(flows::parked, options);
            case W4 -> dbos.startWorkflow(() -> flows.sideBySide(number, fanOut), options);
            case W5 -> dbos.startWorkflow(() -> flows.asleep(number), options);
        });
    }

    private final class Started implements Begun {

        private final WorkflowHandle<Answer, RuntimeException> handle;

        Started(WorkflowHandle<Answer, RuntimeException> handle) {
            this.handle = handle;
        }

        @Override
        public Answer result() {
            return handle.getResult();
        }

        @Override
        public void signal(Answer payload) {
            dbos.send(handle.workflowId(), payload, FlowWorkload.SIGNAL);
        }

        @Override
        public int durableSteps() {
            return dbos.listWorkflowSteps(handle.workflowId()).size();
        }
    }

    @Override
    public void close() {
        dbos.close();
        connections.close();
    }
}
