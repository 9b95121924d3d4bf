package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Node;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Response;
import java.time.Duration;

/** What an activity does when it is its turn, by its type: collation.md 20.2 to 20.7. */
record Doing(Run run, Token token) {

    /** The functions of the node are asked now, the rest is for later. */
    Runnable what(Node node) {
        Data data = new Seen(run, token, false);
        return switch (node) {
            case Node.Worker worker -> () -> {
                token.status = ActivityStatus.WAITING;
                Response answer = run.world.work(worker.queue(), token);
                run.soon(() -> run.finish(token, answer));
            };
            case Node.Await await -> await(await, id(await.child().recipient().apply(data)));
            case Node.Sleep sleep -> sleep(sleep.duration().apply(data));
            case Node.WebHook hook -> () -> {
                token.status = ActivityStatus.WAITING;
                run.hooks.open(token, hook.topic());
            };
            case Node.Pass pass -> () -> {
                token.output = token.input;
                if (pass.pivot()) {
                    run.pass(token);
                } else {
                    handOn();
                }
            };
            case Node.SignalOne one -> signal(one, id(one.target().apply(data)));
            case Node.SignalAll all -> () -> {
                run.world.signalAll(run.id + token.key, all.topic(), new Response.Final(token.input));
                handOn();
            };
            case Node.Cycle cycle -> () -> {
                token.status = ActivityStatus.PASSED;
                ActivityKey pivot = run.places.pivot(token.key, cycle.pivot());
                run.soon(() -> run.reenter(pivot, token.input));
            };
            case Node.InterruptSelf self -> end(self.ending().apply(data));
            case Node.InterruptAnother another -> interrupt(id(another.target().apply(data)),
                    another.ending().apply(data));
            case Node.Trigger trigger -> throw new IllegalArgumentException("a trigger has no turn");
        };
    }

    private static String id(Recipient recipient) {
        return recipient.workflow().workflowId();
    }

    private void handOn() {
        run.finish(token, new Response.Final(token.input));
    }

    private Runnable await(Node.Await await, String child) {
        return () -> {
            token.status = ActivityStatus.WAITING;
            token.child = child;
            String definition = await.child().definition();
            run.world.sent(Effect.start(run.id, child, definition, Text.in(token.input)));
            Oracle.Parent parent = new Oracle.Parent(run, token, await.awaitsResult());
            run.world.soon(() -> run.world.start(child, definition, token.input, parent));
        };
    }

    private Runnable sleep(Duration duration) {
        return duration.isPositive() ? () -> {
            token.status = ActivityStatus.WAITING;
            run.world.after(duration, () -> run.ifOpen(this::handOn));
        } : this::handOn;
    }

    private Runnable signal(Node.SignalOne one, String target) {
        return () -> {
            run.world.sent(Effect.signal(run.id, target, one.topic(), Text.in(token.input)));
            run.world.signal(target, run.id + token.key, one.topic(), new Response.Final(token.input));
            handOn();
        };
    }

    private Runnable interrupt(String target, Ending ending) {
        return target.equals(run.id) ? end(ending) : () -> {
            run.world.sent(Effect.interrupt(run.id, target, ending));
            run.world.interrupt(target, ending);
            handOn();
        };
    }

    private Runnable end(Ending ending) {
        return () -> {
            token.output = token.input;
            token.status = ActivityStatus.FINISHED;
            run.close(ending);
        };
    }
}
