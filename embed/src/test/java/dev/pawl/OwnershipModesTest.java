package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.CheckpointOwnership;
import dev.pawl.engine.CheckpointOwnershipCapabilityError;
import dev.pawl.engine.PawlException;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Snapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an engine does on a database of which it is said that it cannot compare before it writes, in each mode of ownership. */
class OwnershipModesTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final StoreCapabilities WEAK = new StoreCapabilities(true, false, true, true);

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    private final Activity<String, String> charge = Activity.named("charge", String.class, String.class, input -> {
        done.add(input);
        return input + " paid";
    });
    private final Flow<String, String> flow = Flow.named("pay", String.class, String.class, (context, input) -> {
        String refused = "";
        try {
            context.run("keyed", charge.key(any -> "k"), "keyed");
        } catch (PawlException e) {
            refused = e.code();
        }
        return refused + " " + context.run("plain", charge, "plain") + " " + context.signal("go", String.class);
    });

    private Store weak(String url) {
        Store store = Lifetime.store(url);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> {
                    calls.add(method.getName());
                    if (method.getName().equals("capabilities")) {
                        return WEAK;
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private Pawl open(Store store, CheckpointOwnership mode) {
        return Pawl.builder().store(store).shards(1).checkpointOwnership(mode).definitions(flow).open();
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void engineThatMayNotBeAloneIsRefusedBeforeItAsksForAnything(Databases.Kind kind) {
        String url = kind.fresh();
        try (Pawl strong = open(Lifetime.store(url), CheckpointOwnership.CAS_REQUIRED)) {
            strong.start(flow, "w", "");
        }
        Store weak = weak(url);

        assertThatThrownBy(() -> open(weak, CheckpointOwnership.CAS_REQUIRED))
                .isInstanceOf(CheckpointOwnershipCapabilityError.class)
                .hasFieldOrPropertyWithValue("code", "CheckpointOwnershipCapabilityError")
                .hasMessageContaining("conditionalBatch").hasMessageContaining("cas-required")
                .hasMessageContaining(weak.getClass().getName()).hasMessageContaining("single-owner");
        assertThat(calls).as("nothing was claimed, read or polled").containsOnly("capabilities", "close");
        try (Store store = Lifetime.store(url)) {
            assertThat(store.leases("default", "default")).isNotEmpty().noneMatch(Lease::live);
            assertThat(store.presences("default", "default")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void engineThatIsAloneGoesOnWhereTheOneBeforeItStopped(Databases.Kind kind) {
        String url = kind.fresh();
        try (Pawl first = open(weak(url), CheckpointOwnership.SINGLE_OWNER)) {
            first.start(flow, "w", "");
            for (int i = 0; i < 6_000 && done.isEmpty(); i++) {
                first.pause(10);
            }
        }
        try (Pawl second = open(weak(url), CheckpointOwnership.SINGLE_OWNER)) {
            second.workflow("w").signal("go", "on");
            assertThat(second.workflow(flow, "w").result(SOON)).isEqualTo("StoreCapabilityMissing plain paid on");
            assertThat(second.workflow("w").effects()).as("what was refused claims nothing").isEmpty();
        }
        assertThat(done).containsExactly("plain");
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void signalWithAnIdIsRefusedInsteadOfRaced(Databases.Kind kind) {
        try (Pawl pawl = open(weak(kind.fresh()), CheckpointOwnership.SINGLE_OWNER)) {
            WorkflowHandle<String> handle = pawl.start(flow, "w", "");
            assertThatThrownBy(() -> handle.signal("go", "keyed", "s-1"))
                    .hasFieldOrPropertyWithValue("code", "StoreCapabilityMissing")
                    .hasMessageContaining("conditionalBatch");
            assertThatThrownBy(() -> pawl.startWithSignal(flow, "v", "", "go", "keyed", "s-1"))
                    .hasFieldOrPropertyWithValue("code", "StoreCapabilityMissing");
            assertThat(pawl.store().load(new WorkflowKey("default", "v"))).isEqualTo(Snapshot.ABSENT);

            handle.signal("go", "plain");
            assertThat(handle.result(SOON)).isEqualTo("StoreCapabilityMissing plain paid plain");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void modeMakesNoDifferenceWhereTheDatabaseCanCompare(Databases.Kind kind) {
        String url = kind.fresh();
        for (CheckpointOwnership mode : CheckpointOwnership.values()) {
            try (Pawl pawl = open(Lifetime.store(url), mode)) {
                WorkflowHandle<String> handle = pawl.start(flow, "w-" + mode, "");
                AcceptedSignalResult first = handle.signal("go", "on", "s-1");
                assertThat(handle.signal("go", "on", "s-1")).isEqualTo(first);
                assertThat(handle.result(SOON)).isEqualTo(" plain paid on");
                assertThat(handle.effects()).hasSize(1);
            }
        }
    }
}
