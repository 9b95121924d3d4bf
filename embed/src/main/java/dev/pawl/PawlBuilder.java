package dev.pawl;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.Definition;
import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.FlowRuntime;
import dev.pawl.engine.retention.RetentionPolicy;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Transacted;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteOptions;
import dev.pawl.store.sqlite.SqliteStore;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How Pawl is to be, where it is not to be as usual. Not thread-safe. */
public final class PawlBuilder {

    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final int PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;
    private static final int SHARDS_POSTGRES = 64;
    /** A file has one writer: whatever holds it stops every other workflow. */
    private static final Duration TRANSACTION_SQLITE = Duration.ofSeconds(2);

    String namespace = "default";
    String group = "default";
    List<Definition> definitions = new ArrayList<>();
    InstantSource clock = InstantSource.system();
    EngineSettings settings = EngineSettings.DEFAULT;
    int payloadBytesMax = PAYLOAD_BYTES_MAX;
    int waitingMax = 1_000;
    Duration signalRetention = Duration.ofDays(7);
    Duration transactionTimeout = Transacted.LONGEST;
    Duration cancelGrace = FlowRuntime.CANCEL_GRACE;
    Duration drainTimeout = Duration.ofSeconds(10);
    /** How long outcomes that are not durable are sent to other engines before they have to find out themselves. */
    Duration handOverTimeout = Duration.ofSeconds(2);
    Duration callTimeout = Duration.ofSeconds(30);
    @Nullable Executor workers;
    int workersMax = 1_000;
    Duration longOperationAfter = Duration.ofSeconds(10);
    boolean shutdownHook = true;
    Consumer<Throwable> onFatalError = error -> {};
    RetentionPolicy retention = RetentionPolicy.DEFAULT;
    Duration sweepEvery = Duration.ofMinutes(1);
    @Nullable Codec codec;
    boolean checkOnLoad;
    private SqliteOptions sqlite = SqliteOptions.DEFAULT;
    private @Nullable Supplier<Store> opening;
    private @Nullable String user;
    private @Nullable String password;
    private boolean shardsChosen;
    private boolean transactionTimeoutChosen;
    private Duration waitForStore = Duration.ZERO;

    PawlBuilder() {
    }

    /** A SQLite file, which is created if it is not there. */
    public PawlBuilder file(Path file) {
        opening = () -> SqliteStore.open(file, sqlite);
        if (!transactionTimeoutChosen) {
            transactionTimeout = TRANSACTION_SQLITE;
        }
        return this;
    }

    /**
     * How long a SQLite file may be checked for damage when it is opened after an unclean end: default 2 s, zero for no check. After an
     * orderly end it is at most half a second. What was not checked in that time is said in the log.
     */
    public PawlBuilder fileCheck(Duration longest) {
        sqlite = sqlite.withCheckTime(longest);
        return this;
    }

    /** Whether a SQLite file is opened in which damage was found: default false. To save what can be saved, not to go on with. */
    public PawlBuilder openDamagedFile(boolean open) {
        sqlite = sqlite.withOpenDamaged(open);
        return this;
    }

    /**
     * Whether the record of a workflow is checked, like {@link Pawl#check}, each time its code begins to run here: default false. A workflow
     * whose record was changed is parked and not run. Reads all events of the workflow each time.
     */
    public PawlBuilder checkOnLoad(boolean checked) {
        checkOnLoad = checked;
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

    /**
     * Chooses where the functions of steps, activities, verifiers and compensations run, and transactions in the application's own database.
     * Default: platform threads of Pawl's own, as many as are needed up to {@link #workersMax}; such code may block in native code (SQLite,
     * JNI, files) or compute for long, and neither the engine nor other operations wait for it.
     *
     * <p>{@code Executors.newVirtualThreadPerTaskExecutor()} costs less for very many operations that wait in Java, for HTTP answers for
     * example; but code that blocks in native code or computes can stop all flows there. {@code execute} is called on the thread of the
     * flow, so an executor that carries a context over (MDC, tracing) works. It must not run what it is handed on the calling thread, or
     * activities have no time limit. An attempt is declared before it is handed over: an executor that queues should not do so for long.
     * Pawl does not close it. The code of a flow itself always runs on virtual threads.
     */
    public PawlBuilder workers(Executor executor) {
        workers = executor;
        return this;
    }

    /**
     * How many operations run their functions at a time in this process: default 1,000. Others wait, and are not begun before they have a
     * thread. It is no limit to rely on: if nothing ends for a second while others wait, one more begins. To protect what an activity
     * calls, use {@code Activity.limit}.
     */
    public PawlBuilder workersMax(int operations) {
        workersMax = operations;
        return this;
    }

    /** Operations that run for longer are logged, once for each attempt, and counted: default 10 seconds. Not those with a heartbeat. */
    public PawlBuilder longOperationAfter(Duration duration) {
        longOperationAfter = duration;
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

    /**
     * Time limit for the statements of one {@code flow.transaction}: default 2 s on SQLite, where every other workflow waits for them, and 30 s
     * on PostgreSQL. Statements that take longer are stopped and rolled back, and count as a failed attempt.
     */
    public PawlBuilder transactionTimeout(Duration longest) {
        transactionTimeout = longest;
        transactionTimeoutChosen = true;
        return this;
    }

    /**
     * How long a step or activity that runs is waited for when its workflow is cancelled: default 10 s. Its thread is interrupted at once, and
     * its heartbeat throws {@code ActivityCancelled}; the flow goes on with its compensations when it has ended, or after this time. What runs
     * longer is left behind, and its outcome is unknown.
     */
    public PawlBuilder cancelGrace(Duration longest) {
        if (longest.isNegative()) {
            throw new IllegalArgumentException("a time to wait is not negative, but cancelGrace is " + longest);
        }
        cancelGrace = longest;
        return this;
    }

    /** How long closing waits for attempts that run; what becomes of those that run longer, the next owner of their workflow finds out. */
    public PawlBuilder drainTimeout(Duration longest) {
        drainTimeout = longest;
        return this;
    }

    /**
     * Whether Pawl closes itself when the process is asked to end (SIGTERM): default true. Switch it off where the application closes it in
     * an order of its own.
     */
    public PawlBuilder shutdownHook(boolean installed) {
        shutdownHook = installed;
        return this;
    }

    /**
     * How long a call without a time limit of its own is repeated while the store is busy or away; default 30 seconds. That concerns starts,
     * signals, queries and reads, each of which counts once. Calls with a time limit are repeated until that.
     */
    public PawlBuilder callTimeout(Duration longest) {
        callTimeout = longest;
        return this;
    }

    /**
     * How long opening waits for a server that cannot be reached, or for a file that another process has open; default zero. A wrong password
     * or a database that does not exist is not waited for.
     */
    public PawlBuilder waitForStore(Duration longest) {
        waitForStore = longest;
        return this;
    }

    /**
     * Called when an error such as {@link OutOfMemoryError} has stopped the engine: its shards are free for other engines, and this process
     * drives no workflow any more ({@link Pawl#health} is {@code DOWN}). Default: nothing but the log. An application that does nothing
     * else ends itself here, with {@link Runtime#halt}: memory may be short. A SQLite file stays locked until then.
     */
    public PawlBuilder onFatalError(Consumer<Throwable> handler) {
        onFatalError = handler;
        return this;
    }

    public Pawl open() {
        if (opening == null) {
            throw new IllegalStateException("say where to keep workflows: file(…), url(…) or dataSource(…)");
        }
        Store store = new StoreOpening(opening, waitForStore).open();
        try {
            return new Pawl(this, store);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
