package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What takes a shard, a workflow or an engine out of service is logged once, counted, and seen in health and attention. */
class SilenceTest {

    private static final Duration TTL = Duration.ofMillis(1_500);

    private final AtomicBoolean fault = new AtomicBoolean();
    private final Flow<String, String> echo =
            Flow.named("echo", String.class, String.class, (context, input) -> context.step("say", String.class,
                    () -> input));
    private final Flow<String, String> patient = patient(Duration.ofMillis(300));

    private static Flow<String, String> patient(Duration sleep) {
        return Flow.named("patient", String.class, String.class, (context, input) -> {
            context.sleep(sleep);
            return context.signal("go", String.class);
        });
    }

    private static PawlBuilder builder(Flow<?, ?>... flows) {
        return Pawl.builder().shards(2).lease(TTL, TTL.dividedBy(3)).shutdownHook(false).definitions(flows);
    }

    private static Case only(Pawl pawl) {
        List<Case> cases = pawl.attention().list(null, 10).items();
        assertThat(cases).hasSize(1);
        return cases.getFirst();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void healthyEngineSaysLittleAndIsUp(Databases.Kind kind) {
        try (LogCapture log = new LogCapture()) {
            try (Pawl pawl = builder(echo).url(kind.fresh()).open()) {
                for (int i = 0; i < 100; i++) {
                    assertThat(pawl.start(echo, "w" + i, "x").result(SOON)).isEqualTo("x");
                }
                Health health = pawl.health();
                assertThat(health.reasons()).isEmpty();
                assertThat(health.state()).isEqualTo(Health.State.UP);
                assertThat(health.engine().running()).isTrue();
                assertThat(health.engine().leaseUntil()).isNotNull();
                assertThat(health.shards()).hasSize(2).allSatisfy(shard -> {
                    assertThat(shard.standing()).isEqualTo(Health.Standing.HERE);
                    assertThat(shard.owner()).isEqualTo(health.engine().process());
                });
                assertThat(health.store().reachable()).isTrue();
                assertThat(health.store().lastCommit()).isPositive();
                assertThat(health.lanes()).hasSizeGreaterThan(1)
                        .allSatisfy(lane -> assertThat(lane.alive() && lane.lastTurn() != null).isTrue());
                assertThat(health.sweeper().alive()).isTrue();
                assertThat(pawl.counters().values()).containsOnly(0L);
            }
            assertThat(log.from(Level.WARNING)).isEmpty();
            assertThat(log.from(Level.INFO)).hasSizeLessThan(4);
        }
    }

    @Test
    void shardOutOfServiceIsTakenByAnotherEngineAtOnce() throws Exception {
        String url = HandOverTest.postgres();
        Store store = FailingStore.of(url, method -> {
            if (method.equals("commit") && fault.get()) {
                throw new LedgerViolation("two messages claim to have closed one workflow");
            }
        });
        Duration long15 = Duration.ofSeconds(15);
        PawlBuilder settings = builder(patient).lease(long15, Duration.ofSeconds(1));
        try (LogCapture log = new LogCapture(); Pawl first = settings.store(store).open()) {
            List<WorkflowHandle<String>> handles = List.of(first.start(patient, "a", ""), first.start(patient, "b", ""),
                    first.start(patient, "c", ""), first.start(patient, "d", ""));
            try (Pawl second = builder(patient).lease(long15, Duration.ofSeconds(1)).url(url).open()) {
                await(() -> handles.stream().anyMatch(each -> second.owns(each.id())));
                WorkflowHandle<String> handle = handles.stream().filter(each -> first.owns(each.id())).findFirst()
                        .orElseThrow();
                fault.set(true);
                handle.signal("go", "on", "1");
                await(() -> second.owns(handle.id()));
                // Before the lease of the first one would have run out.
                assertThat(handle.result(Duration.ofSeconds(12))).isEqualTo("on");
                assertThat(log.at(Level.SEVERE, "is out of service")).hasSize(1).first().asString()
                        .contains("two messages claim", "another engine can try it");
                assertThat(first.counters()).containsEntry("ShardsOutOfServiceTotal", 1L);
                await(() -> !log.at(Level.INFO, "is driven by engine " + second.health().engine().process()).isEmpty());
                assertThat(first.health().shards()).extracting(Health.Shard::standing)
                        .doesNotContain(Health.Standing.OUT_OF_SERVICE);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void shardOutOfServiceIsShownAndTriedAgainAfterAPause(Databases.Kind kind) throws Exception {
        AtomicInteger violations = new AtomicInteger();
        Store store = FailingStore.of(kind.fresh(), method -> {
            if (method.equals("commit") && fault.get()) {
                violations.incrementAndGet();
                throw new LedgerViolation("the ledger says so");
            }
        });
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(patient).shards(1).store(store).open()) {
            WorkflowHandle<String> handle = pawl.start(patient, "w", "");
            fault.set(true);
            await(() -> pawl.health().state() == Health.State.DEGRADED);
            Health.Shard shard = pawl.health().shards().getFirst();
            assertThat(shard.standing()).isEqualTo(Health.Standing.OUT_OF_SERVICE);
            assertThat(shard.trouble()).contains("the ledger says so");
            assertThat(pawl.health().reasons().getFirst()).contains("shard 0 is out of service: the ledger says so");

            // Longer than the first pause, shorter than the second one: it was tried again once.
            new CountDownLatch(1).await(TTL.toMillis() * 4, TimeUnit.MILLISECONDS);
            assertThat(violations.get()).isBetween(1, 3);
            fault.set(false);
            handle.signal("go", "on", "1");
            assertThat(handle.result(SOON)).isEqualTo("on");
            assertThat(log.at(Level.SEVERE, "is out of service")).hasSize(1);
            await(() -> !log.at(Level.INFO, "is in service again").isEmpty());
            assertThat(pawl.health().state()).isEqualTo(Health.State.UP);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void outageOfTheStoreIsLoggedWhenItBeginsAndWhenItEnds(Databases.Kind kind) throws Exception {
        Store store = FailingStore.of(kind.fresh(), method -> {
            if (fault.get() && !method.equals("close")) {
                throw new StoreException.Unavailable("the cable is out", null);
            }
        });
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(patient).store(store).open()) {
            WorkflowHandle<String> handle = pawl.start(patient, "w", "");
            fault.set(true);
            await(() -> !pawl.health().store().reachable());
            await(() -> pawl.health().state() == Health.State.DOWN);
            assertThat(pawl.health().store().failure()).contains("the cable is out");
            assertThat(pawl.health().reasons()).anyMatch(reason -> reason.contains("the store cannot be used"));
            fault.set(false);
            handle.signal("go", "on", "1");
            assertThat(handle.result(SOON)).isEqualTo("on");
            await(() -> pawl.health().state() == Health.State.UP);
            assertThat(log.at(Level.WARNING, "the store cannot be used")).hasSize(1).first().asString()
                    .contains("StoreUnavailable", "the cable is out");
            assertThat(log.at(Level.INFO, "the store can be used again, after PT")).hasSize(1);
            assertThat(pawl.counters()).containsEntry("StoreOutagesTotal", 1L);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void workflowWithoutDefinitionIsParkedAndGoesOnWhenAProgramHasIt(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        // Longer than it takes to close the first engine: the next one must find the timer.
        Flow<String, String> sleeper = patient(Duration.ofSeconds(2));
        CountDownLatch running = new CountDownLatch(1);
        Flow<String, String> busy = Flow.named("busy", String.class, String.class, (context, input) -> {
            return context.step("long", String.class, () -> {
                if (running.getCount() > 0) {
                    running.countDown();
                    new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                }
                return "done";
            });
        });
        try (Pawl pawl = builder(sleeper, busy).url(url).drainTimeout(Duration.ofMillis(10)).open()) {
            pawl.start(sleeper, "p1", "");
            pawl.start(sleeper, "p2", "");
            pawl.start(busy, "b", "");
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        }
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(echo).url(url).open()) {
            List<String> ids = List.of("p1", "p2", "b");
            await(() -> ids.stream().allMatch(id -> pawl.workflow(id).status() == WorkflowStatus.PARKED));
            assertThat(pawl.workflow("b").reason()).contains("DefinitionMissing", "busy");
            List<Case> cases = pawl.attention().list(null, 10).items();
            assertThat(cases).hasSize(3).allSatisfy(each -> {
                assertThat(each).isInstanceOf(Case.MissingDefinition.class);
                assertThat(each.evidence().code()).isEqualTo("DefinitionMissing");
                assertThat(each.allowed()).containsExactly(DecisionKind.ABORT);
            });
            assertThat(log.at(Level.WARNING, "definition patient version")).hasSize(1).first().asString()
                    .contains("Start a program of this group that has the definition");
            assertThat(log.at(Level.WARNING, "definition busy version")).hasSize(1);
            assertThat(pawl.counters()).containsEntry("DefinitionsMissingTotal", 2L);
            assertThatThrownBy(() -> pawl.workflow("b").result(Duration.ofMillis(200)))
                    .isInstanceOf(WorkflowParked.class).hasMessageContaining("DefinitionMissing");
            // It can be ended all the same.
            Case ended = cases.stream().filter(each -> each.workflowId().equals("p2")).findFirst().orElseThrow();
            pawl.decide(ended.id(), Decision.abort().because("not needed"), "ann");
            assertThatThrownBy(() -> pawl.workflow("p2").result(SOON)).hasMessageContaining("aborted by ann");
        }
        try (Pawl pawl = builder(sleeper, busy).url(url).open()) {
            pawl.workflow("p1").signal("go", "on", "1");
            assertThat(pawl.workflow(sleeper, "p1").result(SOON)).isEqualTo("on");
            assertThat(pawl.workflow(busy, "b").result(SOON)).isEqualTo("done");
            assertThat(pawl.attention().list(null, 10).items()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void unregisteredChildParksItsParentUntilTheProgramHasIt(Databases.Kind kind) throws Exception {
        Flow<String, String> parent = Flow.named("parent", String.class, String.class,
                (context, input) -> context.child(echo, context.workflowId() + ".child", input));
        String url = kind.fresh();
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(parent).url(url).open()) {
            pawl.start(parent, "w", "hello");
            pawl.start(parent, "w2", "hello");
            await(() -> pawl.workflow("w").status() == WorkflowStatus.PARKED
                    && pawl.workflow("w2").status() == WorkflowStatus.PARKED);
            assertThat(pawl.workflow("w").reason()).contains("ChildNotRegistered", "echo", "definitions");
            assertThat(pawl.attention().list(null, 10).items()).hasSize(2)
                    .allMatch(each -> each instanceof Case.MissingDefinition);
            assertThat(log.at(Level.WARNING, "cannot start its child")).hasSize(1);
            assertThat(pawl.counters()).containsEntry("DefinitionsMissingTotal", 1L);
        }
        try (Pawl pawl = builder(parent, echo).url(url).open()) {
            assertThat(pawl.workflow(parent, "w").result(SOON)).isEqualTo("hello");
            assertThat(pawl.workflow(parent, "w2").result(SOON)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void resultOfAParkedWorkflowWarnsOnceAndThrowsWhenTheTimeIsUp(Databases.Kind kind) throws Exception {
        Flow<String, String> flow = Flow.named("linked", String.class, String.class, (context, input) -> {
            throw new NoClassDefFoundError("a class is missing");
        });
        try (LogCapture log = new LogCapture(); Pawl pawl = builder(flow).url(kind.fresh()).open()) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            await(() -> handle.status() == WorkflowStatus.PARKED);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> handle.result(Duration.ofMillis(100))).isInstanceOf(WorkflowParked.class)
                        .hasFieldOrPropertyWithValue("code", "WorkflowParked")
                        .hasMessageContaining("a class is missing").hasMessageContaining("attention()");
            }
            assertThat(log.at(Level.WARNING, "is waited for, but it is parked")).hasSize(1);
            assertThat(pawl.counters()).containsEntry("ParkedResultsAwaitedTotal", 1L);
            assertThat(only(pawl)).isInstanceOf(Case.ParkedWorkflow.class);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void errorStopsTheEngineAndItsShardsAreFreeAtOnce(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        boolean shared = kind.name().equals("postgres");
        Store store = FailingStore.of(url, method -> {
            if (method.equals("commit") && fault.get()) {
                throw new OutOfMemoryError("on purpose");
            }
        });
        AtomicReference<Throwable> told = new AtomicReference<>();
        Duration lease = Duration.ofSeconds(30);
        try (LogCapture log = new LogCapture();
                Pawl pawl = builder(patient).lease(lease, Duration.ofSeconds(10)).store(store).onFatalError(told::set)
                        .open()) {
            WorkflowHandle<String> handle = pawl.start(patient, "w", "");
            fault.set(true);
            await(() -> told.get() != null);
            Health health = pawl.health();
            assertThat(health.state()).isEqualTo(Health.State.DOWN);
            assertThat(health.engine().running()).isFalse();
            assertThat(Objects.requireNonNull(health.engine().stoppedBecause())).contains("OutOfMemoryError");
            assertThat(told.get()).isInstanceOf(OutOfMemoryError.class);
            assertThat(pawl.counters()).containsEntry("FatalErrorsTotal", 1L);
            assertThat(log.at(Level.SEVERE, "has stopped because of an error")).hasSize(1);
            assertThat(store.leases("default", "default")).allMatch(Lease::over);
            fault.set(false);
            if (shared) {
                try (Pawl second = builder(patient).lease(lease, Duration.ofSeconds(10)).url(url).open()) {
                    handle.signal("go", "on", "1");
                    assertThat(second.workflow(patient, "w").result(Duration.ofSeconds(5))).isEqualTo("on");
                }
            }
        }
    }
}
