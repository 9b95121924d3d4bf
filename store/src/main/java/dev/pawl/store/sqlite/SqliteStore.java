package dev.pawl.store.sqlite;

import dev.pawl.store.sql.ProviderWarning;
import dev.pawl.store.sql.Shards;
import dev.pawl.store.sql.SqlStore;
import java.nio.file.Path;

/**
 * A store in one SQLite file, for one engine process at a time; anybody may read the file beside it. Everything that is written
 * is synced before a call returns.
 */
public final class SqliteStore extends SqlStore {

    private SqliteStore(SqliteDatabase database, Shards shards) {
        super(database, shards);
    }

    /**
     * Opens a file, or creates it. Refuses one that is open already, here or in another process, that is newer, damaged, of another
     * application, or that cannot be written.
     */
    public static SqliteStore open(Path file) {
        return open(file, SqliteOptions.DEFAULT);
    }

    public static SqliteStore open(Path file, SqliteOptions options) {
        ProviderWarning.suppress();
        Shards shards = new Shards();
        return new SqliteStore(new SqliteDatabase(file, options, shards), shards);
    }
}
