package dev.pawl.lab.bench;

import dev.pawl.lab.bench.Grounds.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured side by side: an engine on a store. */
enum Contender {
    PAWL_SQLITE(Engine.PAWL, Kind.SQLITE, "Pawl, SQLite") {
        @Override
        OpenEngine open(Ground ground, Extent extent) {
            return pawl(ground, extent);
        }
    },
    PAWL_POSTGRES(Engine.PAWL, Kind.POSTGRES, "Pawl, PostgreSQL") {
        @Override
        OpenEngine open(Ground ground, Extent extent) {
            return pawl(ground, extent);
        }
    },
    DBOS_POSTGRES(Engine.DBOS, Kind.POSTGRES, "DBOS, PostgreSQL") {
        @Override
        OpenEngine open(Ground ground, Extent extent) {
            return new DbosEngine(ground.url(), extent.dbosConnections(), extent.fanOut());
        }
    };

    private final Engine engine;
    private final Kind store;
    private final String title;

    /** Whose code runs the workflows. */
    enum Engine {
        PAWL, DBOS;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Contender(Engine engine, Kind store, String title) {
        this.engine = engine;
        this.store = store;
        this.title = title;
    }

    abstract OpenEngine open(Ground ground, Extent extent);

    private static OpenEngine pawl(Ground ground, Extent extent) {
        return new PawlEngine(ground.open(), extent.shards(ground), extent.fanOut());
    }

    static List<Contender> of(List<Engine> engines, List<Kind> stores) {
        return Arrays.stream(values()).filter(each -> engines.contains(each.engine) && stores.contains(each.store))
                .toList();
    }

    Engine engine() {
        return engine;
    }

    Kind store() {
        return store;
    }

    String title() {
        return title;
    }
}
