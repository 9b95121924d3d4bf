package dev.pawl.lab.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.WorkflowFailed;
import dev.pawl.WorkflowHandle;
import dev.pawl.engine.Definition;
import dev.pawl.lab.example.Approval.Decision;
import dev.pawl.lab.example.Approval.Request;
import dev.pawl.lab.example.MoneyTransfer.Receipt;
import dev.pawl.lab.example.MoneyTransfer.Transfer;
import dev.pawl.lab.example.OrderSaga.Trip;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every example on both stores, and its main as it is. */
class ExamplesTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static EmbeddedPostgres server;

    @TempDir
    Path folder;

    enum Kind {
        SQLITE, POSTGRES
    }

    @BeforeAll
    static void start() throws IOException {
        // Pawl refuses a server that would lose what it has acknowledged, which is how the jar starts one.
        server = EmbeddedPostgres.builder().setServerConfig("fsync", "on").setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on").start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private Pawl open(Kind kind, String group, Definition... definitions) {
        String url = kind == Kind.SQLITE ? "jdbc:sqlite:" + folder.resolve("examples.db")
                : server.getJdbcUrl("postgres", "postgres") + "&password=postgres";
        return Pawl.builder().url(url).group(group).shards(8).definitions(definitions).open();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void noCentIsLostOrMadeByTransfersSideBySide(Kind kind) {
        try (Pawl pawl = open(kind, "bank", MoneyTransfer.OPEN_ACCOUNTS, MoneyTransfer.TRANSFER)) {
            pawl.start(MoneyTransfer.OPEN_ACCOUNTS, "accounts", 1_000L).result(SOON);

            List<WorkflowHandle<Receipt>> transfers = IntStream.range(0, 15).mapToObj(number -> pawl
                    .start(MoneyTransfer.TRANSFER, "transfer-" + number, new Transfer("savings", "current", 100)))
                    .toList();
            List<Receipt> receipts = transfers.stream().map(transfer -> transfer.result(SOON)).toList();

            assertThat(receipts).filteredOn(Receipt::moved).as("there was money for ten").hasSize(10)
                    .extracting(Receipt::left).containsExactlyInAnyOrder(900L, 800L, 700L, 600L, 500L, 400L, 300L, 200L,
                            100L, 0L);
            assertThat(
                    pawl.start(MoneyTransfer.TRANSFER, "back", new Transfer("current", "savings", 1_000)).result(SOON))
                    .isEqualTo(new Receipt(true, 0, 1_000));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void refusedBookingTakesBackTheOnesBeforeItLastFirst(Kind kind) {
        OrderSaga saga = new OrderSaga();
        try (Pawl pawl = open(kind, "travel", saga.flow())) {
            assertThat(pawl.start(saga.flow(), "good", new Trip("good", "Rome", true)).result(SOON))
                    .isEqualTo("flight to Rome, hotel to Rome, car to Rome");
            saga.companies().clear();

            assertThatThrownBy(() -> pawl.start(saga.flow(), "bad", new Trip("bad", "Oslo", false)).result(SOON))
                    .isInstanceOf(WorkflowFailed.class).hasMessageContaining("no car left in Oslo");
            assertThat(saga.companies()).containsExactly("book flight", "book hotel", "book car", "cancel hotel",
                    "cancel flight");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void approvalIsGivenRefusedOrForgotten(Kind kind) {
        try (Pawl pawl = open(kind, "office", Approval.FLOW)) {
            Request patient = new Request("chairs", 100, Duration.ofDays(1));
            WorkflowHandle<String> given = pawl.start(Approval.FLOW, "given", patient);
            WorkflowHandle<String> refused = pawl.start(Approval.FLOW, "refused", patient);
            WorkflowHandle<String> forgotten = pawl.start(Approval.FLOW, "forgotten",
                    new Request("chairs", 100, Duration.ofMillis(300)));
            given.signal(Approval.DECISION, new Decision("Ada", true), "1");
            refused.signal(Approval.DECISION, new Decision("Bob", false), "1");

            assertThat(given.result(SOON)).isEqualTo("asked for chairs, approved by Ada");
            assertThat(refused.result(SOON)).isEqualTo("asked for chairs, refused by Bob");
            assertThat(forgotten.result(SOON)).isEqualTo("asked for chairs, nobody answered");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void thousandItemsAreThousandSteps(Kind kind) {
        try (Pawl pawl = open(kind, "squares", FanOut.FLOW)) {
            WorkflowHandle<Long> handle = pawl.start(FanOut.FLOW, "squares", 1_000);

            assertThat(handle.result(SOON)).isEqualTo(LongStream.rangeClosed(1, 1_000).map(each -> each * each).sum());
            assertThat(handle.operations()).filteredOn(each -> each.key().activity().endsWith("square")).hasSize(1_000)
                    .allMatch(each -> each.ledger().finalized());
        }
    }

    @Test
    void everyExampleRunsByItself() throws Exception {
        String[] none = new String[0];
        MoneyTransfer.main(none);
        OrderSaga.main(none);
        Approval.main(none);
        FanOut.main(none);
    }
}
