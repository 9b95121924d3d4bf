package dev.pawl.store;

import dev.pawl.store.postgres.PostgresTestDatabase;
import dev.pawl.store.sqlite.SqliteTestDatabase;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The real stores. A test that takes a {@link Kind} from here runs on each of them. */
public final class TestStores {

    private static final List<Kind> ALL = List.of(
            new Kind("sqlite", SqliteTestDatabase::new), new Kind("postgres", PostgresTestDatabase::new));

    /** A kind of store. */
    public record Kind(String name, Supplier<TestDatabase> databases) {

        public TestDatabase fresh() {
            return databases.get();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private TestStores() {
    }

    public static Stream<Kind> all() {
        return ALL.stream();
    }
}
