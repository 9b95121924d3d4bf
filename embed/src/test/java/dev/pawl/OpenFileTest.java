package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application may give as its file, and what it is told about anything else. */
class OpenFileTest {

    private static final String HERE = "";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {":memory:", "", "file::memory:", "file::memory:?cache=shared", "shop.db?mode=memory"})
    void databaseInMemoryIsRefusedAndNothingIsCreated(String name) throws IOException {
        Set<Path> before = entries(Path.of(HERE));

        assertThatThrownBy(() -> Pawl.open("jdbc:sqlite:" + name)).isInstanceOf(ValidationFailed.class);
        assertThatThrownBy(() -> Pawl.open(Path.of(name))).isInstanceOf(ValidationFailed.class);
        assertThat(entries(Path.of(HERE))).isEqualTo(before);
    }

    @Test
    void folderThatIsMissingOrInPlaceOfAFileIsRefusedAndNothingIsCreated() throws IOException {
        assertThatThrownBy(() -> Pawl.open(folder.resolve("data").resolve("shop.db")))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("create it first");
        assertThatThrownBy(() -> Pawl.open(folder)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("is a folder");
        assertThat(entries(folder)).isEmpty();
    }

    @Test
    void fileOfAnotherApplicationIsRefusedAndNotTouched() throws IOException {
        Path file = folder.resolve("customers.db");
        Lifetime.execute("jdbc:sqlite:" + file, "create table customer (name text)");
        byte[] before = Files.readAllBytes(file);

        assertThatThrownBy(() -> Pawl.open(file)).isInstanceOfSatisfying(StoreException.Foreign.class,
                e -> assertThat(e.code()).isEqualTo("StoreForeign")).hasMessageContaining("customer");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(entries(folder)).containsExactly(file);
    }

    @Test
    void damagedFileIsRefusedAndNotTouched() throws IOException {
        Path file = folder.resolve("shop.db");
        Pawl.open(file).close();
        byte[] bytes = Files.readAllBytes(file);
        // The number of entries of the page that follows the first one.
        bytes[4096 + 3] ^= 0x7f;
        bytes[4096 + 4] ^= 0x7f;
        Files.write(file, bytes);

        assertThatThrownBy(() -> Pawl.open(file)).isInstanceOfSatisfying(StoreException.Damaged.class,
                e -> assertThat(e.code()).isEqualTo("StoreDamaged"));
        assertThatThrownBy(() -> Pawl.builder().fileCheck(Duration.ofMinutes(1)).file(file).open())
                .isInstanceOf(StoreException.Damaged.class).hasMessageContaining("PawlBuilder.openDamagedFile");
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    private static Set<Path> entries(Path where) throws IOException {
        try (Stream<Path> files = Files.list(where)) {
            return files.collect(Collectors.toSet());
        }
    }
}
