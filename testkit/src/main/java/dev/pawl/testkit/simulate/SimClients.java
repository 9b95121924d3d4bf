package dev.pawl.testkit.simulate;

import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import dev.pawl.testkit.sim.SimCrash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Those who start workflows and send to them from outside; impatient, so that they may do it twice. */
final class SimClients {

    private final Play play;
    private final Store store;
    private final Deque<Start> starts;
    private final List<Stimulus> stimuli;
    private final Set<String> started = new HashSet<>();
    private final @Nullable SimJoins joins;

    /**
     * Clients that have sent nothing yet.
     *
     * @param joins for those that run in the process of an engine; null if there are none
     */
    SimClients(Play play, Store store, @Nullable SimJoins joins) {
        this.play = play;
        this.store = store;
        this.joins = joins;
        this.starts = new ArrayDeque<>(play.starts());
        this.stimuli = new ArrayList<>(play.stimuli());
    }

    boolean done() {
        return starts.isEmpty() && stimuli.isEmpty();
    }

    /** What could be sent now. */
    private List<Stimulus> possible(boolean idle) {
        return stimuli.stream().filter(stimulus -> possible(stimulus, idle)).toList();
    }

    private boolean possible(Stimulus stimulus, boolean idle) {
        return (idle || stimulus.moment() == Stimulus.Moment.AT_ONCE) && started.contains(stimulus.workflowId())
                && (joins == null || !joins.waitsFor(stimulus));
    }

    boolean canAct(boolean idle) {
        if (!starts.isEmpty()) {
            return true;
        }
        for (Stimulus stimulus : stimuli) {
            if (possible(stimulus, idle)) {
                return true;
            }
        }
        return false;
    }

    /** Sends one thing, and returns what it was. If {@code twice}, it will be sent again later. */
    String act(RandomGenerator random, Instant now, boolean idle, boolean twice) {
        List<Stimulus> possible = possible(idle);
        if (!starts.isEmpty() && (possible.isEmpty() || random.nextBoolean())) {
            Start start = starts.getFirst();
            Message.Start message = play.message(start);
            store.start(message, Collation.inception(message, now));
            if (!twice) {
                starts.removeFirst();
                started.add(start.workflowId());
            }
            return "start " + start.workflowId();
        }
        Stimulus stimulus = possible.get(random.nextInt(possible.size()));
        if (joins != null && stimulus instanceof Stimulus.Signal signal && random.nextInt(4) > 0
                && joins.send(signal, request(signal, now))) {
            return "join " + stimulus.workflowId();
        }
        boolean sent = true;
        try {
            send(stimulus, now);
        } catch (SimCrash crash) {
            // Whoever took it died before it could say so: it is sent again.
            sent = false;
        }
        if (sent && !twice) {
            stimuli.remove(stimulus);
        }
        return stimulus.message().getClass().getSimpleName() + " to " + stimulus.workflowId();
    }

    /** Something that nobody asked for, for a workflow that may exist or not: it must be refused, and be gone. */
    void stray(RandomGenerator random) {
        WorkflowKey key = random.nextBoolean() ? Scenario.key("nobody") : play.somebody();
        ActivityKey nowhere = new ActivityKey("nowhere", DimensionalAddress.ROOT.child());
        Guid guid = Guid.derive("stray", Long.toString(random.nextLong()));
        store.post(Scenario.GROUP, switch (random.nextInt(4)) {
            case 0 -> new Message.Enter(key, guid, nowhere);
            case 1 -> new Message.Reenter(key, guid, nowhere, Payload.EMPTY);
            case 2 -> Message.Respond.answer(key, nowhere, 1, new Response.Final(Payload.EMPTY));
            default -> Message.Respond.wake(key, nowhere, Instant.EPOCH);
        });
    }

    private void send(Stimulus stimulus, Instant now) {
        switch (stimulus) {
            case Stimulus.Interrupt interrupt -> store.post(Scenario.GROUP, interrupt.message());
            case Stimulus.Signal signal -> {
                SignalResult result = store.signal(request(signal, now));
                if (result instanceof SignalResult.Indeterminate) {
                    throw new IllegalStateException("P6 nobody knows what became of " + signal);
                }
            }
        }
    }

    private static SignalRequest request(Stimulus.Signal signal, Instant now) {
        return new SignalRequest(Scenario.key(signal.workflowId()), signal.topic(), signal.signalId(), true,
                signal.response(), now, now.plus(Duration.ofDays(1)));
    }

    /** Those that wait for an engine look whether there is an answer. */
    void hear(RandomGenerator random) {
        if (joins != null) {
            // Some have lost their patience in the meantime, and send again what was answered.
            joins.hear().stream().filter(answered -> random.nextInt(8) > 0).forEach(stimuli::remove);
        }
    }
}
