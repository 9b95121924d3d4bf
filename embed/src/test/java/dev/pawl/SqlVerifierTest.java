package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.verify.SqlVerifier;
import dev.pawl.testkit.contract.VerifierContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The verifier that asks a database, against the contract of all verifiers, on both databases. */
@ParameterizedClass
@MethodSource("dev.pawl.Databases#all")
class SqlVerifierTest extends VerifierContract<Integer, String> {

    private final Databases.Kind kind;
    private HikariDataSource source;

    SqlVerifierTest(Databases.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void create() throws SQLException {
        source = Databases.source(kind.fresh());
        execute("create table charge (idempotency_key varchar(200) primary key, receipt text)");
    }

    @AfterEach
    void close() {
        source.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    protected Activity.Verifier<Integer, String> verifier() {
        return SqlVerifier.of(source, "select receipt from charge where idempotency_key = ?", row -> row.getString(1));
    }

    @Override
    protected String perform(String key, Integer input) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into charge values (?, ?)")) {
            insert.setString(1, key);
            insert.setString(2, "receipt " + input);
            insert.executeUpdate();
        }
        return "receipt " + input;
    }

    @Override
    protected Integer input(int n) {
        return n;
    }

    @Override
    protected AutoCloseable outage() throws SQLException {
        execute("alter table charge rename to gone");
        return () -> execute("alter table gone rename to charge");
    }

    @Test
    void rowsThatCannotBeReadOrAreTwoAreNotTakenForAResult() throws Exception {
        perform("k", 1);
        perform("l", 1);
        assertThat(SqlVerifier.<Integer, Integer>of(source, "select receipt from charge where idempotency_key = ?",
                row -> Integer.valueOf(row.getString(1))).verify("k", 1))
                .isInstanceOf(Verified.ResultUnavailable.class);
        assertThat(SqlVerifier.<Integer, String>of(source, "select receipt from charge where idempotency_key >= ?",
                row -> row.getString(1)).verify("k", 1)).isInstanceOf(Verified.Indeterminate.class);
    }
}
