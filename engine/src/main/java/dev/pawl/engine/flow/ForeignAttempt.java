package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that was declared by another incarnation, here or in another process: it belongs to the process that runs it. This one waits
 * for its outcome, which comes as a signal to the code, as long as that process has a lease and the attempt's time is not up.
 */
final class ForeignAttempt {

    private final Scope scope;
    private final String id;
    private final int number;
    private final String runner;

    ForeignAttempt(Scope scope, String id, int number, String runner) {
        this.scope = scope;
        this.id = id;
        this.number = number;
        this.runner = runner;
    }

    /**
     * How it has ended; null if its process is gone, or has not said so in time.
     *
     * @param longest how long to wait for a process that is there and says nothing; null for as long as it is there
     */
    @Nullable AttemptOutcome outcome(@Nullable Duration longest) {
        ActivityRecord recorded = scope.recorded(record());
        if (recorded != null) {
            return AttemptOutcome.of(recorded.output());
        }
        Message.Signal answer = scope.incarnation().control().outcome(topic());
        if (answer == null && !Runners.process(runner).isEmpty()) {
            await(scope.runtime().processes().gone(Runners.process(runner)), longest);
            answer = scope.incarnation().control().outcome(topic());
            // A process that ends in order sends its outcomes, and is gone at once: they may still be on their way.
            if (answer == null && scope.incarnation().lookup().accepted(scope.strand(), topic(), id)) {
                await(new CompletableFuture<>(), null);
                answer = scope.incarnation().control().outcome(topic());
            }
        }
        return answer == null ? null : take(answer);
    }

    private String topic() {
        return OutcomeCourier.topic(runner);
    }

    private String record() {
        return Journal.outcome(number, id);
    }

    /** Waits for the outcome, but no longer than until its process is gone. */
    private void await(CompletableFuture<Void> gone, @Nullable Duration longest) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<Void> unused = gone.thenRun(() -> over.complete(null));
        scope.incarnation().waiting().forTurn(scope.strand(), over, () -> {
            if (scope.incarnation().control().outcome(topic()) != null) {
                over.complete(null);
            }
            return false;
        }, longest);
    }

    /** Recorded before anything follows from it: the signal is gone then, and the next run of the code must come to the same. */
    private AttemptOutcome take(Message.Signal answer) {
        Payload told = answer.response().payload();
        scope.hold(new Advance.Do(FlowBehaviour.operation(record()), Header.of("attempt"), told,
                new Request.Pass(false), answer.guid()));
        return AttemptOutcome.of(told);
    }
}
