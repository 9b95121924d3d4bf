package dev.pawl.testkit.sim;

import java.lang.reflect.Proxy;
import java.sql.Connection;

/** A table of the application's in a simulated database, as statements see it. */
@FunctionalInterface
public interface SimRows {

    /** In a transaction it stays there only if that is committed. */
    void put(String row);

    /** The only thing that can be had from a connection to a database that knows no SQL. */
    static Connection connection(SimRows rows) {
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] {Connection.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("unwrap") && args != null && args[0] == SimRows.class) {
                        return rows;
                    }
                    throw new UnsupportedOperationException("the simulated store knows no SQL");
                });
    }
}
