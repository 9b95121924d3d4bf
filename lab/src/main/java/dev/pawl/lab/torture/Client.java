package dev.pawl.lab.torture;

import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StartResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Somebody who plays one scenario after the other, and who does not rest until everything he asked for is acknowledged: what he got
 * no answer to he asks again, and now and then also what he did get one to, because then the answer must be the same.
 *
 * <p>Not thread-safe: one thread, one client.
 */
final class Client {

    private static final int REST_MILLIS_MAX = 300;
    private static final int POLL_MILLIS = 25;
    private static final int POLL_MILLIS_MAX = 250;

    private final Store store;
    private final OutsideLog log;
    private final OutsideWorld known;
    private final InstantSource clock;
    private final Random random;

    /** Speaks for the process before it, too: {@code known} is what that one was promised. */
    Client(Store store, OutsideLog log, OutsideWorld known, InstantSource clock, long seed) {
        this.store = store;
        this.log = log;
        this.known = known;
        this.clock = clock;
        this.random = new Random(seed);
    }

    /** Asks for everything a scenario wants, and waits until the workflows it starts are closed. */
    void play(int number, Scenario scenario) throws InterruptedException {
        if (!known.begun.contains(number)) {
            log.begun(number);
        }
        for (Start start : scenario.starts()) {
            start(scenario, start);
        }
        List<Stimulus> stimuli = new ArrayList<>(scenario.stimuli());
        Collections.shuffle(stimuli, random);
        for (Stimulus stimulus : stimuli) {
            if (stimulus.moment() == Stimulus.Moment.WHEN_IDLE) {
                Thread.sleep(random.nextInt(REST_MILLIS_MAX));
            }
            send(stimulus);
        }
        for (Start start : scenario.starts()) {
            awaitClosed(start.workflowId());
        }
        log.served(number);
    }

    /** Asks once more for everything of a scenario that was served long ago. */
    void remind(Scenario scenario) throws InterruptedException {
        for (Start start : scenario.starts()) {
            start(scenario, start);
        }
        for (Stimulus stimulus : scenario.stimuli()) {
            if (stimulus instanceof Stimulus.Signal signal) {
                signal(signal);
            }
        }
    }

    private void start(Scenario scenario, Start start) throws InterruptedException {
        Message.Start message = scenario.message(start);
        boolean acknowledged = known.started.contains(start.workflowId());
        do {
            StartResult result = insist(() -> store.start(message, Collation.inception(message, clock.instant())));
            if (result instanceof StartResult.AlreadyStarted already
                    && !already.workflow().beginning().equals(message.beginning())) {
                log.wrong("P2 " + start.workflowId() + " was started by somebody else");
            } else if (result instanceof StartResult.Started && acknowledged) {
                log.wrong("P2 the start of " + start.workflowId() + " was acknowledged twice");
            }
            if (!acknowledged) {
                log.started(start.workflowId());
            }
            acknowledged = true;
        } while (random.nextInt(4) == 0);
    }

    private void send(Stimulus stimulus) throws InterruptedException {
        switch (stimulus) {
            case Stimulus.Signal signal -> {
                signal(signal);
                if (random.nextInt(4) == 0) {
                    signal(signal);
                }
            }
            case Stimulus.Interrupt interrupt -> {
                insist(() -> {
                    store.post(Scenario.GROUP, interrupt.message());
                    return true;
                });
                log.interrupted(interrupt.workflowId());
            }
        }
    }

    private void signal(Stimulus.Signal signal) throws InterruptedException {
        OutsideWorld.Signal named =
                new OutsideWorld.Signal(signal.workflowId(), signal.topic(), signal.signalId());
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        SignalResult result = insist(() -> store.signal(request(signal, now)));
        Long before = known.signals.get(named);
        switch (result) {
            case SignalResult.Accepted accepted -> {
                if (before != null) {
                    log.wrong("P6 " + named + " was accepted twice");
                }
                accepted(named, accepted.signal().acceptedAt());
            }
            case SignalResult.Duplicate duplicate -> {
                long at = duplicate.signal().acceptedAt().toEpochMilli();
                if (before != null && before != at) {
                    log.wrong("P6 " + named + " was accepted at " + before + " and then at " + at);
                }
                accepted(named, duplicate.signal().acceptedAt());
            }
            case SignalResult.WorkflowClosed closed -> {
                if (before != null) {
                    log.wrong("P6 " + named + " was accepted, and is not known any more");
                }
            }
            case SignalResult.WorkflowMissing missing ->
                log.wrong("P1 " + signal.workflowId() + " was started, and is not known any more");
            case SignalResult.Indeterminate indeterminate -> log.wrong("P6 nobody knows what became of " + named);
        }
    }

    static SignalRequest request(Stimulus.Signal signal, Instant now) {
        return new SignalRequest(Scenario.key(signal.workflowId()), signal.topic(), signal.signalId(), true,
                signal.response(), now, now.plus(Duration.ofDays(1)));
    }

    private void accepted(OutsideWorld.Signal signal, Instant at) {
        if (known.signals.putIfAbsent(signal, at.toEpochMilli()) == null) {
            log.signalled(signal.workflowId(), signal.topic(), signal.signalId(), at.toEpochMilli());
        }
    }

    /** What is read on the way is a promise, too: it must still be there after the next crash. */
    private void awaitClosed(String workflowId) throws InterruptedException {
        for (int looks = 1;; looks++) {
            WorkflowRecord workflow = insist(() -> store.load(Scenario.key(workflowId))).workflow();
            if (workflow == null) {
                log.wrong("P1 " + workflowId + " was started, and is not there any more");
                return;
            }
            if (workflow.status().terminal()) {
                log.seen(workflow);
                return;
            }
            if (random.nextInt(8) == 0) {
                log.seen(workflow);
            }
            // Whoever waits long looks less often: the engine has to get to the store, too.
            Thread.sleep(Math.min(looks * POLL_MILLIS, POLL_MILLIS_MAX));
        }
    }

    private <T> T insist(Supplier<T> call) throws InterruptedException {
        while (true) {
            try {
                return call.get();
            } catch (StoreException e) {
                log.note(e.code() + " " + e.getMessage());
                Thread.sleep(POLL_MILLIS);
            }
        }
    }
}
