package dev.pawl.lab.bench;

import dev.pawl.lab.bench.Grounds.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured side by side: an engine on a store. */
enum Contender {
    PAWL_SQLITE(Engine.PAWL, Kind.SQLITE, "Pawl, SQLite"),
    PAWL_POSTGRES(Engine.PAWL, Kind.POSTGRES, "Pawl, PostgreSQL"),
    DBOS_POSTGRES(Engine.DBOS, Kind.POSTGRES, "DBOS, PostgreSQL");

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

    /** Opens it, with its tables if they are not there. */
    OpenEngine open(Ground ground, Extent extent) {
        return switch (engine) {
            case PAWL -> new PawlEngine(ground.open(), extent.shards(ground), extent.fanOut());
            case DBOS -> new DbosEngine(ground.url(), extent.dbosConnections(), extent.fanOut());
        };
    }

    /** Has the tables made, so that they are not counted. */
    void prepare(Ground ground) {
        switch (engine) {
            case PAWL -> ground.open().close();
            case DBOS -> DbosEngine.prepare(ground.url());
        }
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
