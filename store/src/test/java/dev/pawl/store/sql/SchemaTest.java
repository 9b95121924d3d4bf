package dev.pawl.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {

    private static final Path MIGRATIONS = Path.of("src/main/resources/dev/pawl/store/migration");

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    void migrationsAreNumberedWithoutAGapUpToTheVersionTheCodeKnows(String dialect) throws IOException {
        try (Stream<Path> files = Files.list(MIGRATIONS.resolve(dialect))) {
            List<Integer> numbers = files.map(file -> file.getFileName().toString())
                    .map(name -> Integer.valueOf(name.replaceFirst("V(\\d+)__\\w+\\.sql", "$1"))).sorted().toList();

            assertThat(numbers).isEqualTo(IntStream.rangeClosed(Schema.OLDEST, Schema.VERSION).boxed().toList());
        }
    }
}
