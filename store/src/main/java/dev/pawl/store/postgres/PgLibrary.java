package dev.pawl.store.postgres;

import dev.pawl.engine.store.StoreException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A library that this store needs and {@code dev.pawl:pawl} does not bring: applications on SQLite have no use for it. */
enum PgLibrary {

    DRIVER("org.postgresql.Driver", "org.postgresql:postgresql"),
    MIGRATIONS("org.flywaydb.database.postgresql.PostgreSQLDatabaseType", "org.flywaydb:flyway-database-postgresql"),
    POOL("com.zaxxer.hikari.HikariDataSource", "com.zaxxer:HikariCP"),
    LOG_OF_POOL("org.slf4j.LoggerFactory", "org.slf4j:slf4j-api");

    static final Set<PgLibrary> ALL = EnumSet.allOf(PgLibrary.class);
    static final Set<PgLibrary> WITHOUT_POOL = EnumSet.of(DRIVER, MIGRATIONS);

    private final String type;
    private final String coordinates;

    PgLibrary(String type, String coordinates) {
        this.type = type;
        this.coordinates = coordinates;
    }

    /** Before any class that refers to one of them is linked: an error of the linker names a class, but no dependency. */
    static void require(Set<PgLibrary> needed) {
        String missing = needed.stream().filter(each -> !each.present()).map(each -> each.coordinates)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new StoreException.DependencyMissing("PostgreSQL needs libraries that are not on the class path: "
                    + missing
                    + ". Add the dependency dev.pawl:pawl-postgres, in the same version as dev.pawl:pawl; it brings them all");
        }
    }

    private boolean present() {
        try {
            Class.forName(type, false, PgLibrary.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
