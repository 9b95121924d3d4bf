package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.testkit.sim.SimClock;
import dev.pawl.testkit.sim.SimStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table of stores in docs/CONTRACT.md says of each what it says of itself. */
class CapabilitiesTest {

    private static final Path PAGE = Path.of("../docs/CONTRACT.md");

    private static List<String> cells(StoreCapabilities said) {
        return List.of(said.atomicBatch(), said.conditionalBatch(), said.readAfterWrite(), said.scanConsistency())
                .stream().map(each -> each ? "yes" : "no").toList();
    }

    @Test
    void tableSaysOfEveryStoreWhatItSaysOfItself() throws IOException {
        Map<String, List<String>> expected = new TreeMap<>();
        TestStores.all().forEach(kind -> {
            try (TestDatabase database = kind.fresh(); Store store = database.open()) {
                expected.put(store.getClass().getSimpleName(), cells(store.capabilities()));
            }
        });
        try (Store simulated = new SimStore(new SimClock())) {
            expected.put("SimStore", cells(simulated.capabilities()));
        }

        Map<String, List<String>> written = new TreeMap<>();
        Files.readAllLines(PAGE).stream().filter(line -> line.matches("\\| `\\w+Store` \\|.*")).forEach(line -> {
            List<String> row = List.of(line.split("\\|", -1)).stream().map(String::strip).toList();
            written.put(row.get(1).replace("`", ""), row.subList(2, 6));
        });
        assertThat(written).isEqualTo(expected);
    }
}
