package dev.pawl.lab.example;

import dev.pawl.engine.flow.Flow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Moves money between two accounts that lie in the engine's own database. Each booking and the record that it was made are one
 * transaction: whatever happens to the process, no booking is made twice and none is forgotten.
 */
public final class MoneyTransfer {

    private static final long REFUSED = -1;

    private MoneyTransfer() {
    }

    /** So many cents from one account to another. */
    public record Transfer(String from, String to, long cents) {
    }

    /** What the two accounts hold afterwards, or why nothing was moved. */
    public record Receipt(boolean moved, long left, long arrived) {
    }

    /** Accounts with money in them, to have something to transfer. */
    public static final Flow<Long, Boolean> OPEN_ACCOUNTS = Flow.named("open-accounts", Long.class, Boolean.class,
            (flow, cents) -> flow.transaction("open", Boolean.class, connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("create table if not exists account (name varchar(40) primary key,"
                            + " cents bigint not null check (cents >= 0))");
                }
                open(connection, "savings", cents);
                open(connection, "current", 0);
                return true;
            }));

    public static final Flow<Transfer, Receipt> TRANSFER = Flow.named("transfer", Transfer.class, Receipt.class,
            (flow, transfer) -> {
                long left = flow.transaction("withdraw", Long.class,
                        connection -> add(connection, transfer.from(), -transfer.cents()));
                if (left == REFUSED) {
                    return new Receipt(false, 0, 0);
                }
                long arrived = flow.transaction("deposit", Long.class,
                        connection -> add(connection, transfer.to(), transfer.cents()));
                return new Receipt(true, left, arrived);
            });

    public static void main(String[] args) throws Exception {
        Scratch.run(List.of(OPEN_ACCOUNTS, TRANSFER), pawl -> {
            pawl.start(OPEN_ACCOUNTS, "accounts", 10_000L).result();
            System.out.println(pawl.start(TRANSFER, "transfer-1", new Transfer("savings", "current", 2_500)).result());
            System.out.println(pawl.start(TRANSFER, "transfer-2", new Transfer("savings", "current", 9_000)).result());
        });
    }

    private static void open(Connection connection, String name, long cents) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into account (name, cents) values (?, ?) on conflict do nothing")) {
            insert.setString(1, name);
            insert.setLong(2, cents);
            insert.executeUpdate();
        }
    }

    /** One statement looks and books: no other transfer comes in between. */
    private static long add(Connection connection, String name, long cents) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "update account set cents = cents + ? where name = ? and cents + ? >= 0")) {
            update.setLong(1, cents);
            update.setString(2, name);
            update.setLong(3, cents);
            return update.executeUpdate() == 0 ? REFUSED : balance(connection, name);
        }
    }

    private static long balance(Connection connection, String name) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select cents from account where name = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("there is no account " + name);
                }
                return row.getLong(1);
            }
        }
    }
}
