package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.AcceptedSignal;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.testkit.scenario.Stimulus;
import dev.pawl.testkit.sim.SimCrash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Signals that clients have handed to an engine in their own process, and wait for. Whoever hears nothing, or that the store has to be
 * asked, asks the store; and whoever is answered holds the answer against the store's.
 */
final class SimJoins {

    /** So many steps of the world a client waits for an engine that stands still. */
    private static final int PATIENCE = 60;

    private final List<SimEngine> engines;
    private final Store store;
    private final Consumer<String> report;
    private final List<Pending> pending = new ArrayList<>();
    private int answered;

    private static final class Pending {

        private final Stimulus.Signal signal;
        private final SignalRequest request;
        private final SimEngine engine;
        private final CompletableFuture<@Nullable SignalResult> answer;
        private int waited;

        Pending(Stimulus.Signal signal, SignalRequest request, SimEngine engine,
                CompletableFuture<@Nullable SignalResult> answer) {
            this.signal = signal;
            this.request = request;
            this.engine = engine;
            this.answer = answer;
        }

        boolean over() {
            return answer.isDone() || !engine.alive || ++waited > PATIENCE;
        }
    }

    SimJoins(List<SimEngine> engines, Store store, Consumer<String> report) {
        this.engines = engines;
        this.store = store;
        this.report = report;
    }

    /** False if no engine that runs owns the workflow. */
    boolean send(Stimulus.Signal signal, SignalRequest request) {
        for (SimEngine engine : engines) {
            CompletableFuture<@Nullable SignalResult> answer = engine.paused ? null : engine.engine.join(request);
            if (answer != null) {
                pending.add(new Pending(signal, request, engine, answer));
                return true;
            }
        }
        return false;
    }

    boolean waitsFor(Stimulus stimulus) {
        return pending.stream().anyMatch(each -> each.signal.equals(stimulus));
    }

    /** How many were accepted by an engine. */
    int answered() {
        return answered;
    }

    /** Those for which nobody waits any more, because everything is known; the others are sent again. */
    List<Stimulus> hear() {
        List<Stimulus> known = new ArrayList<>();
        for (Pending each : List.copyOf(pending)) {
            if (each.over()) {
                pending.remove(each);
                known.addAll(hear(each));
            }
        }
        return known;
    }

    private List<Stimulus> hear(Pending each) {
        SignalResult told = each.answer.getNow(null);
        SignalResult stored;
        try {
            stored = store.signal(each.request);
        } catch (SimCrash crash) {
            // Whoever took it died before it could say so: it is sent again.
            return List.of();
        }
        if (told instanceof SignalResult.Accepted accepted) {
            answered++;
            compare(each, accepted.signal(), stored);
        } else if (told instanceof SignalResult.Duplicate duplicate) {
            compare(each, duplicate.signal(), stored);
        } else if (stored instanceof SignalResult.Indeterminate) {
            report.accept("P6 nobody knows what became of " + each.signal);
        }
        return List.of(each.signal);
    }

    private void compare(Pending each, AcceptedSignal told, SignalResult stored) {
        if (!stored.equals(new SignalResult.Duplicate(told))) {
            report.accept("P6 %s was answered with %s, and then with %s".formatted(each.signal, told, stored));
        }
    }
}
