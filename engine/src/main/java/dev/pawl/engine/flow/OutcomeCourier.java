package dev.pawl.engine.flow;

import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.task.FlowThreads;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends the outcomes of attempts whose incarnation is dead to the next one, as signals to the code of their workflow: through the inbox, so
 * that they reach the owner of the shard wherever it is. Each is sent until the store has it. Safe for use by many threads.
 */
final class OutcomeCourier {

    private static final Logger LOG = System.getLogger(OutcomeCourier.class.getName());

    /** What the topic of an outcome begins with; then comes the runner. */
    static final String TOPIC = FlowBehaviour.CONTROL + "attempt:";

    private static final Duration PAUSE = Duration.ofMillis(200);
    /** How long the store remembers an answer; no one asks for it again. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final FlowRuntime runtime;
    private final FlowThreads threads;
    private final Queue<SignalRequest> outgoing = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unsent = new AtomicInteger();

    OutcomeCourier(FlowRuntime runtime, FlowThreads threads) {
        this.runtime = runtime;
        this.threads = threads;
    }

    static String topic(String runner) {
        return TOPIC + runner;
    }

    void send(WorkflowRecord workflow, List<Attempts.Orphan> orphans) {
        Instant now = runtime.clock().instant();
        for (Attempts.Orphan orphan : orphans) {
            outgoing.add(new SignalRequest(workflow.key(), topic(orphan.runner()), orphan.operation(),
                    true, new Response.Final(orphan.outcome().payload()), now,
                    now.plus(KEPT)));
            if (unsent.getAndIncrement() == 0) {
                threads.start("pawl-outcomes", this::run);
            }
        }
    }

    /** Whether everything has been sent. */
    boolean idle() {
        return unsent.get() == 0;
    }

    private void run() {
        do {
            SignalRequest next = outgoing.poll();
            if (next != null) {
                deliver(next);
            }
        } while (unsent.decrementAndGet() > 0);
    }

    private void deliver(SignalRequest outcome) {
        for (boolean told = false;; told = true) {
            try {
                runtime.engine().signal(outcome);
                return;
            } catch (StoreException e) {
                if (!told) {
                    LOG.log(Level.WARNING, "the outcome of " + outcome.signalName() + " of " + outcome.workflow()
                            + " cannot be handed to the new owner of its shard: " + e.getMessage()
                            + "; it is sent again until the store takes it");
                }
                rest();
            }
        }
    }

    private void rest() {
        try {
            threads.await(new CompletableFuture<Void>(), PAUSE);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // It is time to try again.
        }
    }
}
