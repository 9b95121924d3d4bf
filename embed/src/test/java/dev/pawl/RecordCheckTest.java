package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code pawl.check} finds what was changed in the database behind Pawl's back, and nothing else. */
class RecordCheckTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final Activity<String, String> PAY = Activity
            .named("pay", String.class, String.class, (String input) -> "receipt of " + input)
            .guarantee(Guarantee.RECONCILED).verify((key, input) -> new Verified.NotCompleted<>());

    private final AtomicInteger resumed = new AtomicInteger();

    private final Flow<String, String> order = Flow.named("order", String.class, String.class, (context, input) -> {
        String price = context.step("price", String.class, () -> "100");
        String receipt = context.run(PAY, input);
        context.attribute("customer", "Ann");
        context.sleep(Duration.ofMillis(1));
        String word = context.signal("go", String.class);
        resumed.incrementAndGet();
        return price + " " + receipt + " " + word;
    });

    static Stream<Databases.Kind> databases() {
        return Databases.all();
    }

    /** A change, and what the check says about it. */
    record Change(String sql, String where, String what) {
    }

    private static final String OTHER = "OTHER";
    private static final String MINE =
            "workflow_no = (select workflow_no from WORKFLOW where workflow_id = 'w')";

    private static final List<Change> CHANGES = List.of(
            new Change("update EVENT set payloads = OTHER where payloads is not null and " + MINE, "event",
                    "the payloads of event"),
            new Change("update EVENT set payloads = null where payloads is not null and " + MINE, "event",
                    "is missing, or was changed"),
            new Change("update WORKFLOW set input = OTHER where workflow_id = 'w'", "event 1",
                    "the payload of \"input\""),
            new Change("update WAITING set waker_name = 'stop' where waker = 'HOOK' and " + MINE, "wait of operation",
                    "is not the one"),
            new Change("delete from WAITING where " + MINE, "wait of operation", "is missing"),
            new Change("update EFFECT set result = OTHER where " + MINE, "effect of",
                    "is not the one"),
            new Change("delete from EFFECT where " + MINE, "effect of", "is missing"),
            new Change("update ATTRIBUTE set text_value = 'Bob' where " + MINE, "customer", "is not the one"),
            new Change("update WORKFLOW set definition_version = '9' where workflow_id = 'w'", "workflow", "version"),
            new Change("update WORKFLOW set semaphore = semaphore + 1 where workflow_id = 'w'", "workflow",
                    "semaphore"),
            new Change("update EVENT set body = replace(body, '\"at\":1', '\"at\":2') where number = 2 and " + MINE,
                    "event 3", "does not follow from event 2"),
            new Change("update EVENT set body = 'x' where number = 2 and " + MINE, "event 2",
                    "does not follow from event 1"),
            new Change("delete from EVENT where number = 2 and " + MINE, "event 2", "is missing"),
            new Change(
                    "update EVENT set number = case number when 2 then 1002 else 1003 end where number in (2, 3) and "
                            + MINE
                            + "; update EVENT set number = case number when 1002 then 3 else 2 end where number in (1002,"
                            + " 1003) and " + MINE,
                    "event 2", "does not follow from event 1"),
            new Change(
                    "update EVENT set hash = (select e.hash from EVENT e join WORKFLOW w on w.workflow_no = e.workflow_no"
                            + " where w.workflow_id = 'other' and e.number = 1) where number = (select max(number) from EVENT where "
                            + MINE + ") and " + MINE,
                    "event", "is the last one"));

    static Stream<Arguments> changes() {
        return databases().flatMap(kind -> CHANGES.stream().map(change -> Arguments.of(kind, change)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changeBehindItsBackIsFound(Databases.Kind kind, Change change) {
        String url = kind.fresh();
        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(order).open()) {
            WorkflowHandle<String> handle = waiting(pawl, "w");
            waiting(pawl, "other");
            assertThat(handle.check()).isEqualTo(new CheckReport("w", handle.events().size(), List.of()));

            change(url, change.sql());

            CheckReport report = pawl.check("w");
            assertThat(report.consistent()).isFalse();
            assertThat(report.differences()).anySatisfy(difference -> {
                assertThat(difference.where()).contains(change.where());
                assertThat(difference.what()).contains(change.what());
            });
            assertThat(report.toString()).startsWith("w is not as it was written");
            assertThat(pawl.check("other").consistent()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void resultThatWasEditedIsFound(Databases.Kind kind) {
        String url = kind.fresh();
        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(order).open()) {
            WorkflowHandle<String> handle = waiting(pawl, "w");
            handle.signal("go", "now");
            handle.result(SOON);
            assertThat(handle.check().differences()).isEmpty();

            change(url, "update WORKFLOW set output = OTHER where workflow_id = 'w'");
            assertThat(handle.check().differences()).singleElement().satisfies(
                    difference -> assertThat(difference.what()).contains("the payload of \"output\""));
            assertThatThrownBy(() -> pawl.check("never started")).hasMessageContaining("never started");
        }
    }

    /** Nothing is computed from a record that was changed; the others of the same shard do not notice. */
    @ParameterizedTest
    @MethodSource("databases")
    void workflowWhoseRecordWasChangedStandsStillAndTheOthersGoOn(Databases.Kind kind) {
        String url = kind.fresh();
        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(order).open()) {
            waiting(pawl, "w");
            waiting(pawl, "sound");
        }
        change(url, "update EVENT set payloads = null where payloads is not null and " + MINE);

        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(order).open()) {
            pawl.workflow("w").signal("go", "now");
            pawl.workflow("sound").signal("go", "now");

            assertThat(pawl.workflow(order, "sound").result(SOON)).isEqualTo("100 receipt of sound now");
            await(() -> pawl.counters().get(Incidents.Kind.RECORD_UNREADABLE.counter()) == 1L);
            assertThat(resumed).hasValue(1);
            assertThat(pawl.workflow("w").status()).isEqualTo(WorkflowStatus.RUNNING);
            assertThat(pawl.health().state()).isEqualTo(Health.State.DEGRADED);
            assertThat(pawl.health().reasons())
                    .anyMatch(reason -> reason.contains("w stands still: its record cannot be read"));
            assertThat(pawl.health().shards()).noneMatch(
                    shard -> shard.standing() == Health.Standing.OUT_OF_SERVICE);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void workflowWhoseRecordWasChangedIsParkedIfThatIsAskedFor(Databases.Kind kind) {
        String url = kind.fresh();
        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(order).open()) {
            waiting(pawl, "w");
            waiting(pawl, "sound");
        }
        change(url, "update ATTRIBUTE set text_value = 'Bob' where " + MINE);

        try (Pawl pawl = Pawl.builder().url(url).shards(1).definitions(order).checkOnLoad(true).open()) {
            pawl.workflow("w").signal("go", "now");
            pawl.workflow("sound").signal("go", "now");

            assertThat(pawl.workflow(order, "sound").result(SOON)).isEqualTo("100 receipt of sound now");
            await(() -> pawl.workflow("w").status() == WorkflowStatus.PARKED);
            assertThat(resumed).hasValue(1);
            assertThat(pawl.store().load(new WorkflowKey("default", "w")).workflow()).isNotNull()
                    .extracting(WorkflowRecord::reason).asString().contains("RecordChanged")
                    .contains("attribute customer");
        }
    }

    @Test
    void reportOfASoundRecordSaysSo() {
        assertThat(new CheckReport("w", 3, List.of())).hasToString("w is consistent, 3 events");
    }

    private WorkflowHandle<String> waiting(Pawl pawl, String id) {
        WorkflowHandle<String> handle = pawl.start(order, id, id);
        await(() -> handle.operations().stream().anyMatch(each -> each.waker().text().startsWith("hook go"))
                && handle.operations().stream().noneMatch(each -> each.waker().text().startsWith("code awake")));
        return handle;
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** As somebody does it who has the password, or the file. */
    private static void change(String url, String sql) {
        boolean sqlite = url.startsWith("jdbc:sqlite:");
        String text = sql.replace(OTHER, sqlite ? "cast('\"other\"' as blob)" : "convert_to('\"other\"', 'UTF8')");
        for (String table : List.of("WAITING", "EFFECT", "ATTRIBUTE", "WORKFLOW", "EVENT")) {
            text = text.replace(table, Lifetime.table(url, table.toLowerCase(java.util.Locale.ROOT)));
        }
        for (String each : text.split("; ", -1)) {
            Lifetime.execute(url, each);
        }
    }
}
