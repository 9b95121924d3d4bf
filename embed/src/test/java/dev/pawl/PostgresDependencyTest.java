package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.PawlException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL on class paths that lack what {@code dev.pawl:pawl-postgres} brings. */
class PostgresDependencyTest {

    private static final String[] ALL = {"postgresql-", "flyway-database-postgresql-", "HikariCP-", "slf4j-api-"};
    private static final String NOBODY_LISTENS = "jdbc:postgresql://127.0.0.1:1/none";

    /** Opened by its URL. */
    static final class ByUrl implements Supplier<String> {

        @Override
        public String get() {
            return failure(Pawl.builder().url(NOBODY_LISTENS));
        }
    }

    /** Opened with a pool of the application's own, which has no connection at the moment. */
    static final class ByDataSource implements Supplier<String> {

        @Override
        public String get() {
            return failure(Pawl.builder().dataSource((DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
                    new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                        throw new SQLException("no connection", "08001");
                    })));
        }
    }

    private static String failure(PawlBuilder builder) {
        try (Pawl pawl = builder.open()) {
            return "opened: " + pawl.health();
        } catch (PawlException e) {
            return e.code() + ": " + e.getMessage();
        }
    }

    /** What opening says in a world of its own, in which the libraries that begin like this are not on the class path. */
    @SuppressWarnings("unchecked")
    private static String opening(Class<? extends Supplier<String>> opening, String... without)
            throws IOException, ReflectiveOperationException {
        List<URL> urls = new ArrayList<>();
        int left = 0;
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = Path.of(each).getFileName().toString();
            if (Arrays.stream(without).anyMatch(name::startsWith)) {
                left++;
            } else {
                urls.add(url(each));
            }
        }
        assertThat(left).as("libraries left out").isEqualTo(without.length);
        try (URLClassLoader world =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            var constructor = world.loadClass(opening.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((Supplier<String>) constructor.newInstance()).get();
        }
    }

    private static URL url(String path) throws MalformedURLException {
        return Path.of(path).toUri().toURL();
    }

    @Test
    void openingWithoutAnyOfThemNamesTheDependencyToAdd() throws Exception {
        assertThat(opening(ByUrl.class, ALL))
                .startsWith("StoreDependencyMissing: ")
                .contains("org.postgresql:postgresql, org.flywaydb:flyway-database-postgresql, com.zaxxer:HikariCP")
                .contains("Add the dependency dev.pawl:pawl-postgres");
        assertThat(opening(ByDataSource.class, ALL)).startsWith("StoreDependencyMissing: ")
                .contains("dev.pawl:pawl-postgres");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql-", "flyway-database-postgresql-", "HikariCP-", "slf4j-api-"})
    void openingWithoutOneOfThemNamesIt(String library) throws Exception {
        assertThat(opening(ByUrl.class, library)).startsWith("StoreDependencyMissing: ")
                .contains(":" + library.substring(0, library.length() - 1)
                        + ". Add the dependency dev.pawl:pawl-postgres");
    }

    @Test
    void applicationWithAPoolOfItsOwnNeedsNotOurs() throws Exception {
        assertThat(opening(ByDataSource.class, "HikariCP-", "slf4j-api-")).startsWith("StoreUnavailable: ");
    }

    @Test
    void withAllOfThemTheServerIsAsked() throws Exception {
        assertThat(opening(ByUrl.class)).startsWith("StoreUnavailable: ");
    }
}
