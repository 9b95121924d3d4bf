package dev.pawl.lab.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.WorkflowHandle;
import dev.pawl.lab.example.Checkout.Delivery;
import dev.pawl.lab.example.Checkout.Order;
import dev.pawl.lab.example.Checkout.Payment;
import dev.pawl.lab.example.Checkout.Receipt;
import dev.pawl.lab.example.ClusterManager.Cluster;
import dev.pawl.lab.example.ClusterManager.Job;
import dev.pawl.lab.example.ClusterManager.Nodes;
import dev.pawl.lab.example.ClusterManager.Report;
import dev.pawl.lab.example.SampleProcess.Effects;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two samples of other engines, written for Pawl: as they are, killed in the middle, and with classes that change between two processes. */
class SamplesTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static EmbeddedPostgres server;

    @TempDir
    Path folder;

    enum Kind {
        SQLITE, POSTGRES
    }

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.builder().setServerConfig("fsync", "on").setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on").start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private String url(Kind kind) throws SQLException {
        if (kind == Kind.SQLITE) {
            return "jdbc:sqlite:" + folder.resolve("samples.db");
        }
        String name = "samples_" + DATABASES.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return server.getJdbcUrl("postgres", name) + "&password=postgres";
    }

    private Path effects() {
        return folder.resolve("effects.txt");
    }

    private Effects world() {
        return new Effects(effects(), "");
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(effects());
    }

    // As they are.

    @ParameterizedTest
    @EnumSource(Kind.class)
    void jobThatAsksForTooManyNodesWaitsUntilOthersGiveSomeBack(Kind kind) throws Exception {
        Effects world = world();
        ClusterManager manager = new ClusterManager(world);
        try (Pawl pawl = SampleProcess.open(url(kind), world)) {
            WorkflowHandle<Report> cluster = pawl.start(manager.flow(), "cluster",
                    Cluster.of(6, 2, Duration.ofMillis(100)));
            CompletableFuture<Nodes> early = CompletableFuture.supplyAsync(
                    () -> cluster.update(ClusterManager.ASSIGN, new Job("train", 4), Nodes.class, "u-1", SOON));
            cluster.signal(ClusterManager.START, "");
            assertThat(early.get().names()).hasSize(4).doesNotContain("node-5");
            assertThatThrownBy(() -> cluster.update(ClusterManager.ASSIGN, new Job("huge", 7), Nodes.class, "u-2",
                    SOON)).hasFieldOrPropertyWithValue("code", "UpdateRefused")
                    .hasMessageContaining("huge asks for 7 nodes of ");
            CompletableFuture<Nodes> patient = CompletableFuture.supplyAsync(
                    () -> cluster.update(ClusterManager.ASSIGN, new Job("index", 3), Nodes.class, "u-3", SOON));
            awaitOperation(cluster, "freed");
            cluster.update(ClusterManager.RELEASE, "train", Nodes.class, "u-4", SOON);
            assertThat(patient.get().names()).hasSize(3);
            assertThat(cluster.update(ClusterManager.ASSIGN, new Job("index", 3), Nodes.class, "u-5", SOON))
                    .as("the same job under another id").isEqualTo(patient.get());
            while (cluster.runIds().size() < 3) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            cluster.signal(ClusterManager.STOP, "");
            assertThat(cluster.result(SOON)).isEqualTo(new Report(3, 1));
            assertThat(lines()).hasSize(3);
        }
    }

    private static void awaitOperation(WorkflowHandle<?> handle, String end) {
        while (handle.operations().stream().noneMatch(each -> each.key().activity().endsWith(end))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void itemIsSoldOrGoesBack(Kind kind) throws Exception {
        Effects world = world();
        Checkout shop = new Checkout(world);
        try (Pawl pawl = SampleProcess.open(url(kind), world)) {
            pawl.start(Checkout.STOCK, "stock", new Delivery("widget", 4)).result(SOON);
            WorkflowHandle<Receipt> paid = order(pawl, shop, "paid", Duration.ofDays(1));
            WorkflowHandle<Receipt> refused = order(pawl, shop, "refused", Duration.ofDays(1));
            WorkflowHandle<Receipt> cancelled = order(pawl, shop, "cancelled", Duration.ofDays(1));
            WorkflowHandle<Receipt> late = order(pawl, shop, "late", Duration.ofMillis(300));
            WorkflowHandle<Receipt> none = order(pawl, shop, "none", Duration.ofDays(1));
            assertThat(none.result(SOON).state()).isEqualTo("sold out");
            paid.signal(Checkout.PAYMENT, new Payment(true, "visa"), "page");
            refused.signal(Checkout.PAYMENT, new Payment(false, "broke"), "page");
            assertThat(paid.result(SOON)).isEqualTo(new Receipt("paid", "paid", "visa"));
            assertThat(refused.result(SOON)).isEqualTo(new Receipt("refused", "refused", "broke"));
            assertThat(late.result(SOON).state()).isEqualTo("not paid in time");
            cancelled.cancel("the shop closes");
            assertThatThrownBy(() -> cancelled.result(SOON)).hasMessageContaining("the shop closes");
            assertThat(pawl.start(Checkout.LEFT, "left", "widget").result(SOON)).isEqualTo(3);
            assertThat(lines()).containsOnlyOnce("close session-cancelled").doesNotContain("close session-paid");
        }
    }

    private static WorkflowHandle<Receipt> order(Pawl pawl, Checkout shop, String id, Duration patience) {
        WorkflowHandle<Receipt> handle = pawl.start(shop.flow(), id, new Order(id, "widget", 990, patience));
        while (handle.operations().isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return handle;
    }

    // Killed in the middle.

    @ParameterizedTest
    @EnumSource(Kind.class)
    void updateWhoseProcessIsKilledInItsActivityIsAnsweredByTheNext(Kind kind) throws Exception {
        String url = url(kind);
        kill(url, "cluster", "assign index [node-3, node-4]");
        Effects world = world();
        try (Pawl pawl = SampleProcess.open(url, world)) {
            WorkflowHandle<Report> cluster = pawl.workflow(new ClusterManager(world).flow(), "cluster");
            assertThat(cluster.update(ClusterManager.ASSIGN, new Job("index", 2), Nodes.class, "u-index", SOON))
                    .isEqualTo(new Nodes("index", List.of("node-3", "node-4")));
            assertThat(cluster.update(ClusterManager.RELEASE, "train", Nodes.class, "u-back", SOON).names())
                    .containsExactly("node-0", "node-1", "node-2");
            cluster.signal(ClusterManager.STOP, "");
            assertThat(cluster.result(SOON)).isEqualTo(new Report(2, 1));
        }
        // The activity that was under way is repeated, the one before it is not.
        assertThat(lines()).containsExactly("assign train [node-0, node-1, node-2]", "assign index [node-3, node-4]",
                "assign index [node-3, node-4]", "release train [node-0, node-1, node-2]");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void orderWhoseProcessIsKilledTakesOneItemAndIsPaidOnce(Kind kind) throws Exception {
        String url = url(kind);
        kill(url, "checkout", "open order-1");
        Effects world = world();
        try (Pawl pawl = SampleProcess.open(url, world)) {
            WorkflowHandle<Receipt> order = pawl.workflow(new Checkout(world).flow(), "order-1");
            order.signal(Checkout.PAYMENT, new Payment(true, "visa"), "page");
            order.signal(Checkout.PAYMENT, new Payment(true, "visa"), "page");
            assertThat(order.result(SOON)).isEqualTo(new Receipt("order-1", "paid", "visa"));
            assertThat(pawl.start(Checkout.LEFT, "left", "widget").result(SOON)).isEqualTo(1);
        }
        assertThat(lines()).as("asked with the same order").containsExactly("open order-1", "open order-1");
    }

    /** Until it has written that line, and then with SIGKILL. */
    private void kill(String url, String sample, String line) throws Exception {
        Process process = process("", url, sample, line);
        try (BufferedReader said = reader(process)) {
            List<String> all = new ArrayList<>();
            String next = said.readLine();
            while (next != null && !next.equals(SampleProcess.MIDDLE)) {
                all.add(next);
                next = said.readLine();
            }
            assertThat(next).as("what it said: %s", all).isEqualTo(SampleProcess.MIDDLE);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private Process process(String classes, String url, String what, String line) throws IOException {
        return new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
                classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                SampleProcess.class.getName(), url, effects().toString(), what, line).redirectErrorStream(true).start();
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    // With other classes.

    /** What a process says that has a sample with these changes in its source. */
    private String deployed(String url, String what, String sample, Map<String, String> changes) throws Exception {
        Path source = Path.of("src/main/java/dev/pawl/lab/example/" + sample + ".java");
        String text = Files.readString(source);
        for (Map.Entry<String, String> change : changes.entrySet()) {
            assertThat(text).contains(change.getKey());
            text = text.replace(change.getKey(), change.getValue());
        }
        Path changed = Files.createDirectories(Files.createTempDirectory(folder, "changed").resolve("src"));
        Path classes = Files.createDirectories(changed.resolveSibling("classes"));
        Path file = Files.writeString(changed.resolve(sample + ".java"), text);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-nowarn", "-d",
                classes.toString(), "-cp", System.getProperty("java.class.path"), file.toString())).isZero();
        Process process = process(classes.toString(), url, what, "");
        try (BufferedReader said = reader(process)) {
            return String.join("\n", said.lines().toList());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static final Map<String, String> SAME = Map.of();

    @ParameterizedTest
    @EnumSource(Kind.class)
    void recordThatLosesAStoredFieldParksTheOrderUntilTheCodeBeforeIsBack(Kind kind) throws Exception {
        String url = url(kind);
        kill(url, "checkout", "open order-1");
        String said = deployed(url, "order", "Checkout", Map.of("String item, long cents, Duration",
                "String item, Duration", "order.cents()", "0L", "\"widget\", 990,", "\"widget\","));
        assertThat(said).contains("status: PARKED", "code=FlowMismatch", "thrown: WorkflowParked", "order-1 is parked");
        Effects world = world();
        try (Pawl pawl = SampleProcess.open(url, world)) {
            WorkflowHandle<Receipt> order = pawl.workflow(new Checkout(world).flow(), "order-1");
            order.signal(Checkout.PAYMENT, new Payment(true, "visa"), "page");
            assertThat(order.result(SOON)).isEqualTo(new Receipt("order-1", "paid", "visa"));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void updateWhoseInputHasAnotherTypeParksTheClusterUntilTheCodeBeforeIsBack(Kind kind) throws Exception {
        String url = url(kind);
        kill(url, "cluster", "assign index [node-3, node-4]");
        String said = deployed(url, "assign and park", "ClusterManager",
                Map.of("public record Job(String name, int nodes) {",
                        "public record Job(String name, List<String> nodes) { public Job(String name, int nodes) {"
                                + " this(name, java.util.Collections.nCopies(nodes, name)); }",
                        "job.nodes()", "job.nodes().size()"));
        assertThat(said).contains("status: PARKED", "PayloadUnreadable", "ClusterManager$Job", "$.nodes",
                "thrown: WorkflowParked WorkflowParked: cluster is parked").doesNotContain("has not answered within");
        assertThat(deployed(url, "assign", "ClusterManager", SAME)).contains("answer: Nodes[job=late");
    }

    @Test
    void bothRunByThemselves() throws Exception {
        ClusterManager.main(new String[0]);
        Checkout.main(new String[0]);
    }
}
