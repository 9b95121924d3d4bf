package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.ChildFailed;
import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.ParentEnd;
import dev.pawl.engine.flow.Verified;
import dev.pawl.engine.flow.WhenUnknown;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Payloads that are encrypted: everything works as without, through crashes and a change of keys, because what the engine records for
 * itself does not pass through the codec. And nothing of the user's stands in the database.
 */
class EncryptionTest {

    private static final String SECRET = "SECRET-4711-SECRET";
    private static final SecretKeySpec OLD = new SecretKeySpec(new byte[32], "AES");
    private static final SecretKeySpec NEW = new SecretKeySpec("0123456789abcdef".getBytes(StandardCharsets.US_ASCII),
            "AES");

    record Order(String id, String card) {
    }

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private final Activity<Order, String> charge = Activity.<Order, String>named("charge", Order.class, String.class,
            order -> {
                log.add("charged");
                return "receipt for " + order.card();
            }).key(Order::id).guarantee(Guarantee.IDEMPOTENT)
            .compensate((order, receipt) -> log.add("refunded " + receipt));

    private final Activity<Order, String> ship = Activity.<Order, String>named("ship", Order.class, String.class,
            order -> {
                throw new IllegalStateException("no answer");
            }).key(Order::id).verify((key, order) -> new Verified.Indeterminate<>("the carrier does not answer"))
            .whenUnknown(WhenUnknown.ASK);

    private final Flow<Order, String> packing = Flow.named("packing", Order.class, String.class, (context, order) -> {
        if (order.card().isEmpty()) {
            throw new IllegalArgumentException("nothing to pack");
        }
        return "packed " + order.card();
    });

    private final Flow<Order, String> endless = Flow.named("endless", Order.class, String.class,
            (context, order) -> context.signal("never", String.class));

    private final Flow<Order, String> flow = Flow.named("order", Order.class, String.class, (context, order) -> {
        List<String> notes = new ArrayList<>();
        context.onUpdate("note", String.class, Integer.class, note -> {
            if (note.isEmpty()) {
                throw new IllegalArgumentException("an empty note");
            }
            notes.add(note);
            return notes.size();
        });
        context.onQuery("notes", Object.class, Object.class, none -> notes);
        context.memo("card", order.card());
        context.attribute("stage", "begun");
        String receipt = context.run(charge, order);
        String winner = context.race(List.of(branch -> branch.step("fast", String.class, () -> order.card()),
                branch -> branch.signal("slow", String.class)));
        String booked = context.transaction("book", String.class, connection -> order.card());
        String packed = context.child(packing, context.workflowId() + ".packing", order);
        String failure = "";
        try {
            context.child(packing, context.workflowId() + ".empty", new Order(order.id(), ""));
        } catch (ChildFailed e) {
            failure = e.errorType();
        }
        context.start(endless, context.workflowId() + ".endless", order, ParentEnd.REQUEST_CANCEL);
        context.signalTo(context.workflowId(), "self", order);
        Order told = context.signal("self", Order.class);
        Order paid = context.signal("paid", Order.class);
        String shipped = order.id().equals("ask") ? context.run(ship, order) : "by hand";
        context.now();
        String end = context.signal("end", String.class);
        return String.join("|", receipt, winner, booked, packed, failure, told.card(), paid.card(), shipped, end,
                notes.toString());
    });

    private static JsonCodec codec(AesGcm transform) {
        return JsonCodec.builder().transform(transform).build();
    }

    private Lifetime open(String url, AesGcm transform) {
        return new Lifetime(url, builder -> builder.codec(codec(transform)), flow, packing, endless);
    }

    private static boolean waitsFor(WorkflowHandle<?> handle, String operation) {
        return handle.operations().stream().anyMatch(each -> each.key().activity().equals(operation)
                && !each.ledger().finalized());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void everythingWorksThroughCrashesAndAChangeOfKeys(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        Order order = new Order("ask", SECRET);
        try (Lifetime first = open(url, AesGcm.with("k1", OLD)).cutBefore(Lifetime.ends("charge"))) {
            WorkflowHandle<String> handle = first.pawl.start(flow, "w", order);
            assertThat(first.pawl.start(flow, "w", order).id()).isEqualTo(handle.id());
            first.awaitCut();
        }
        try (Lifetime second = open(url, AesGcm.with("k1", OLD)).cutAfter(Lifetime.begins("w.paid"))) {
            WorkflowHandle<String> handle = second.pawl.workflow(flow, "w");
            await(() -> waitsFor(handle, "paid"));
            assertThat(handle.update("note", "a " + SECRET, Integer.class)).isEqualTo(1);
            assertThatThrownBy(() -> handle.update("note", "", Integer.class))
                    .hasFieldOrPropertyWithValue("code", "UpdateFailed").hasMessage("an empty note");
            second.cut();
        }
        AesGcm both = AesGcm.with("k2", NEW).reading("k1", OLD);
        try (Lifetime third = open(url, both)) {
            WorkflowHandle<String> handle = third.pawl.workflow(flow, "w");
            assertThatThrownBy(() -> third.pawl.start(flow, "w", new Order("other", SECRET)))
                    .hasFieldOrPropertyWithValue("code", "WorkflowIdConflict");
            assertThat(third.pawl.start(flow, "w", order).id()).isEqualTo("w");
            assertThat(handle.query("notes", null, Object.class)).asString().isEqualTo("[a " + SECRET + "]");
            assertThat(handle.update("note", "b " + SECRET, Integer.class)).isEqualTo(2);
            handle.signal("paid", order);
            await(() -> !third.pawl.attention().list(null, 10).items().isEmpty());
            Case asked = third.pawl.attention().list(null, 10).items().getFirst();
            assertThat(asked.evidence().activity()).isEqualTo("ship");
            assertThat(asked.evidence().key()).isEqualTo("ask");
            third.pawl.decide(asked.id(), Decision.accept("shipped " + SECRET), "desk");
            assertThat(third.pawl.decide(asked.id(), Decision.accept("shipped " + SECRET), "desk").decision())
                    .isEqualTo(DecisionKind.ACCEPT.text());
            assertThatThrownBy(() -> third.pawl.decide(asked.id(), Decision.accept("other"), "desk"))
                    .hasFieldOrPropertyWithValue("code", "DecisionConflict");
            await(() -> waitsFor(handle, "end"));
            third.cut();
        }
        try (Lifetime fourth = open(url, both)) {
            WorkflowHandle<String> handle = fourth.pawl.workflow(flow, "w");
            handle.signal("end", "fin");
            assertThat(handle.result(SOON)).isEqualTo(String.join("|", "receipt for " + SECRET, SECRET, SECRET,
                    "packed " + SECRET, "java.lang.IllegalArgumentException", SECRET, SECRET, "shipped " + SECRET,
                    "fin", "[a " + SECRET + ", b " + SECRET + "]"));
            assertThat(handle.memo()).containsEntry("card", SECRET);
            assertThat(handle.attributes()).containsEntry("stage", "begun");
            assertThat(log).doesNotContain("refunded receipt for " + SECRET);
        }
        assertNothingReadable(url);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void cancellationTakesBackWhatWasDoneThroughACrash(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Lifetime first = open(url, AesGcm.with("k1", OLD)).cutBefore(Lifetime.ends("~undo:charge"))) {
            WorkflowHandle<String> handle = first.pawl.start(flow, "w", new Order("a", SECRET));
            await(() -> waitsFor(handle, "paid"));
            handle.cancel("no longer wanted");
            first.awaitCut();
        }
        try (Lifetime second = open(url, AesGcm.with("k1", OLD))) {
            WorkflowHandle<String> handle = second.pawl.workflow(flow, "w");
            assertThatThrownBy(() -> handle.result(SOON)).hasMessageContaining("no longer wanted");
            assertThat(handle.status()).isEqualTo(WorkflowStatus.CANCELLED);
            assertThat(log).contains("refunded receipt for " + SECRET);
            WorkflowHandle<?> child = second.pawl.workflow(endless, "w.endless");
            await(() -> child.status() == WorkflowStatus.CANCELLED);
            assertThatThrownBy(() -> child.result(SOON)).hasMessageContaining("has ended");
        }
        assertNothingReadable(url);
    }

    /** A key that is missing parks what was written with it; nothing fails, and it goes on when the key is there. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void missingKeyParksTheWorkflow(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        try (Lifetime first = open(url, AesGcm.with("k1", OLD))) {
            await(() -> waitsFor(first.pawl.start(flow, "w", new Order("a", SECRET)), "paid"));
        }
        try (Lifetime second = open(url, AesGcm.with("k2", NEW))) {
            WorkflowHandle<String> handle = second.pawl.workflow(flow, "w");
            handle.signal("paid", new Order("a", SECRET));
            await(() -> handle.status() == WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("PayloadUnreadable", "the key k1 is not known here");
            assertThat(log).containsExactly("charged");
        }
        try (Lifetime third = open(url, AesGcm.with("k2", NEW).reading("k1", OLD))) {
            WorkflowHandle<String> handle = third.pawl.workflow(flow, "w");
            handle.signal("end", "fin");
            assertThat(handle.result(SOON)).endsWith("fin|[]");
            assertThat(log).containsExactly("charged");
        }
    }

    private static void assertNothingReadable(String url) throws IOException, SQLException {
        int seen = 0;
        for (byte[] bytes : url.startsWith("jdbc:sqlite:") ? files(url) : rows(url)) {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            seen += bytes.length;
            byte[] secret = SECRET.getBytes(StandardCharsets.US_ASCII);
            assertThat(text).doesNotContain(SECRET, HexFormat.of().formatHex(secret));
            for (int shift = 0; shift < 3; shift++) {
                // Whatever comes before it.
                String base64 = Base64.getEncoder().encodeToString(("x".repeat(shift) + SECRET)
                        .getBytes(StandardCharsets.US_ASCII));
                assertThat(text).doesNotContain(base64.substring(4, base64.length() - 4));
            }
        }
        assertThat(seen).as("bytes that were looked at").isGreaterThan(5_000);
    }

    private static List<byte[]> files(String url) throws IOException {
        try (Stream<Path> all = Files.list(Path.of(url.substring("jdbc:sqlite:".length())).resolveSibling("."))) {
            List<byte[]> bytes = new ArrayList<>();
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                bytes.add(Files.readAllBytes(file));
            }
            return bytes;
        }
    }

    private static List<byte[]> rows(String url) throws SQLException {
        List<byte[]> bytes = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names = statement.executeQuery(
                    "select table_name from information_schema.tables where table_schema = 'pawl'")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet rows = statement.executeQuery("select * from pawl.\"" + table + "\"")) {
                    while (rows.next()) {
                        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                            byte[] value = rows.getBytes(column);
                            if (value != null) {
                                bytes.add(value);
                            }
                        }
                    }
                }
            }
        }
        return bytes;
    }
}
