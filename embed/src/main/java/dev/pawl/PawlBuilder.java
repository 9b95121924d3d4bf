package dev.pawl;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.retention.RetentionPolicy;
import dev.pawl.engine.store.Store;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How Pawl is to be, where it is not to be as usual. Not thread-safe. */
public final class PawlBuilder {

    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final int PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;
    private static final int SHARDS_POSTGRES = 64;

    String namespace = "default";
    String group = "default";
    List<Definition> definitions = new ArrayList<>();
    InstantSource clock = InstantSource.system();
    EngineSettings settings = EngineSettings.DEFAULT;
    int payloadBytesMax = PAYLOAD_BYTES_MAX;
    int waitingMax = 1_000;
    Duration signalRetention = Duration.ofDays(7);
    Duration drainTimeout = Duration.ofSeconds(10);
    RetentionPolicy retention = RetentionPolicy.DEFAULT;
    Duration sweepEvery = Duration.ofMinutes(1);
    @Nullable Codec codec;
    private @Nullable Supplier<Store> opening;
    private @Nullable String user;
    private @Nullable String password;
    private boolean shardsChosen;

    PawlBuilder() {
    }

    /** A SQLite file, which is created if it is not there. */
    public PawlBuilder file(Path file) {
        opening = () -> SqliteStore.open(file);
        return this;
    }

    /** {@code jdbc:sqlite:FILE} or {@code jdbc:postgresql://HOST/DATABASE?user=…&password=…}. */
    public PawlBuilder url(String jdbcUrl) {
        if (jdbcUrl.startsWith(SQLITE)) {
            return file(Path.of(jdbcUrl.substring(SQLITE.length())));
        }
        if (!jdbcUrl.startsWith(POSTGRES)) {
            throw new IllegalArgumentException("a URL begins with " + SQLITE + " or " + POSTGRES);
        }
        opening = () -> PostgresStore.open(jdbcUrl, Objects.requireNonNullElse(user, option(jdbcUrl, "user")),
                Objects.requireNonNullElse(password, option(jdbcUrl, "password")));
        return manyShards();
    }

    private static String option(String jdbcUrl, String name) {
        int question = jdbcUrl.indexOf('?');
        String query = question < 0 ? "" : jdbcUrl.substring(question + 1);
        for (String each : query.split("&", -1)) {
            if (each.startsWith(name + "=")) {
                return URLDecoder.decode(each.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    /** Who connects to PostgreSQL, if the URL does not say so. */
    public PawlBuilder credentials(String newUser, String newPassword) {
        user = newUser;
        password = newPassword;
        return this;
    }

    /** Connections to PostgreSQL that the application has already. */
    public PawlBuilder dataSource(DataSource source) {
        opening = () -> PostgresStore.open(source);
        return manyShards();
    }

    private PawlBuilder manyShards() {
        if (!shardsChosen) {
            settings = settings.withShards(SHARDS_POSTGRES);
        }
        return this;
    }

    /** Any other store. */
    public PawlBuilder store(Store store) {
        opening = () -> store;
        return this;
    }

    public PawlBuilder definitions(List<? extends Definition> all) {
        definitions = new ArrayList<>(all);
        return this;
    }

    public PawlBuilder definitions(Definition... all) {
        return definitions(List.of(all));
    }

    public PawlBuilder namespace(String name) {
        namespace = ValidationFailed.name("a namespace", name);
        return this;
    }

    /** The name of the application: programs of the same group share its workflows. */
    public PawlBuilder group(String name) {
        group = ValidationFailed.name("a group", name);
        return this;
    }

    public PawlBuilder clock(InstantSource source) {
        clock = source;
        return this;
    }

    /** How many shards a new group gets; fixed from then on. */
    public PawlBuilder shards(int count) {
        settings = settings.withShards(count);
        shardsChosen = true;
        return this;
    }

    /** How long a shard stays with a process that does not renew its lease, and how often it does. */
    public PawlBuilder lease(Duration ttl, Duration renewal) {
        settings = settings.withLease(ttl, renewal);
        return this;
    }

    public PawlBuilder checkpointOwnership(CheckpointOwnership mode) {
        settings = settings.withCheckpointOwnership(mode);
        return this;
    }

    /** Everything else about the engine. */
    public PawlBuilder settings(EngineSettings all) {
        settings = all;
        shardsChosen = true;
        return this;
    }

    public PawlBuilder codec(Codec newCodec) {
        codec = newCodec;
        return this;
    }

    public PawlBuilder payloadBytesMax(int bytes) {
        payloadBytesMax = bytes;
        return this;
    }

    /** How many flows that wait are kept in memory; others are put aside, and run again when they wake. */
    public PawlBuilder waitingMax(int flows) {
        waitingMax = flows;
        return this;
    }

    /** How long the answer to a keyed signal is kept at least. */
    public PawlBuilder signalRetention(Duration duration) {
        signalRetention = duration;
        return this;
    }

    /** How long workflows that have ended are kept; 30 days after a good end and 90 after any other, unless this says otherwise. */
    public PawlBuilder retention(RetentionPolicy policy) {
        retention = policy;
        return this;
    }

    /** How often somebody looks whether something may be deleted. */
    public PawlBuilder sweepEvery(Duration interval) {
        sweepEvery = interval;
        return this;
    }

    /** How long closing waits for steps that are under way; what is not through by then is run again elsewhere. */
    public PawlBuilder drainTimeout(Duration longest) {
        drainTimeout = longest;
        return this;
    }

    public Pawl open() {
        if (opening == null) {
            throw new IllegalStateException("say where to keep workflows: file(…), url(…) or dataSource(…)");
        }
        Store store = opening.get();
        try {
            return new Pawl(this, store);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
