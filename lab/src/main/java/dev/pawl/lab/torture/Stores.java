package dev.pawl.lab.torture;

import dev.pawl.engine.store.Store;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import java.nio.file.Path;

/** Stores by their address, so that one process can tell another which one to open. */
final class Stores {

    static final String SQLITE = "sqlite:";
    static final String POSTGRES = "postgres:";

    private Stores() {
    }

    static Store open(String address) {
        if (address.startsWith(SQLITE)) {
            return SqliteStore.open(Path.of(address.substring(SQLITE.length())));
        }
        if (address.startsWith(POSTGRES)) {
            return PostgresStore.open(address.substring(POSTGRES.length()), PgServer.USER, "");
        }
        throw new IllegalArgumentException("no such store: " + address);
    }
}
