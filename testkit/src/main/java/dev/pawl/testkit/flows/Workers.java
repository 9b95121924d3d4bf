package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.CompletionToken;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.simulate.SimCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;

/** The workers that activities are handed to, and a thief who has seen their tokens but for the last character. */
final class Workers {

    private final Outside outside;
    private final List<Job> jobs = new ArrayList<>();

    private record Job(Outside.Place place, String token, Op.Worker worker) {
    }

    Workers(Outside outside) {
        this.outside = outside;
    }

    void handed(Outside.Place place, String token, Op.Worker worker) {
        jobs.add(new Job(place, token, worker));
    }

    /** One of them does its work, if it feels like it; false if nothing has changed. */
    boolean work(Store store, RandomGenerator random, Instant now) {
        if (jobs.isEmpty() || random.nextInt(4) == 0) {
            return false;
        }
        Job job = jobs.remove(random.nextInt(jobs.size()));
        if (job.worker() != Op.Worker.FAILS) {
            outside.doneByWorker(job.place());
        }
        Response answer = switch (job.worker()) {
            case COMPLETES -> new Response.Final(SimCodec.INSTANCE.encode(Deed.value(job.place().id())));
            case FAILS, FAILS_AFTERWARDS -> FlowControl.failure("the worker gives up");
            case SAYS_NOTHING -> null;
        };
        return answer == null || answer(store, job, answer, now);
    }

    /** As the door of the engine does it. */
    private boolean answer(Store store, Job job, Response answer, Instant now) {
        WorkflowKey workflow = Scenario.key(job.place().workflowId());
        Snapshot snapshot = store.load(workflow);
        CompletionToken token = CompletionToken.parse(job.token());
        if (token == null || !token.issuedBy(snapshot)) {
            outside.violation("P9 the worker of " + job.place() + " has a token that its workflow does not know");
            return true;
        }
        CompletionToken guessed = CompletionToken.parse(guess(job.token()));
        if (guessed != null && guessed.issuedBy(snapshot)) {
            outside.violation("P9 a token of " + job.place() + " can be guessed");
        }
        store.signal(new SignalRequest(workflow, token.topic(), token.requestId(), true, answer, now,
                now.plus(Duration.ofDays(1))));
        return true;
    }

    private static String guess(String token) {
        byte[] plain = Base64.getUrlDecoder().decode(token);
        plain[plain.length - 1] ^= 1;
        return new String(Base64.getUrlEncoder().withoutPadding().encode(plain), StandardCharsets.UTF_8);
    }
}
