package dev.pawl.engine.graph;

import static dev.pawl.engine.graph.ExpressionFault.evaluate;

import dev.pawl.kernel.collation.Request;
import java.time.Duration;
import java.time.Instant;

/** What leg one of a node asks for. */
record Asking(Graph graph) {

    /** Throws an {@link ExpressionFault} if a function of the node does not answer. */
    Request request(Node node, Data data, Instant now) {
        return switch (node) {
            case Node.Worker worker -> new Request.Task(worker.queue(), data.input(), now.plus(worker.timeout()));
            case Node.Await await -> child(await, data);
            case Node.Sleep sleep -> sleep(sleep, data, now);
            case Node.WebHook hook -> new Request.WebHook(hook.topic());
            case Node.Pass pass -> new Request.Pass(pass.pivot());
            case Node.SignalOne one -> new Request.SignalOne(
                    evaluate(whose(node), "target", one.target(), data), one.topic(), data.input());
            case Node.SignalAll all -> new Request.SignalAll(all.topic(), data.input());
            case Node.Cycle cycle -> new Request.Cycle(cycle.pivot(), graph.depth(cycle.pivot()), data.input());
            case Node.InterruptSelf self -> new Request.InterruptSelf(
                    evaluate(whose(node), "ending", self.ending(), data));
            case Node.InterruptAnother another -> new Request.InterruptAnother(
                    evaluate(whose(node), "target", another.target(), data),
                    evaluate(whose(node), "ending", another.ending(), data));
            case Node.Trigger trigger -> throw new IllegalArgumentException("a trigger asks for nothing");
        };
    }

    static String whose(Node node) {
        return "node '" + node.name() + "'";
    }

    private static Request child(Node.Await await, Data data) {
        Child child = await.child();
        return new Request.StartChild(evaluate(whose(await), "child's id", child.recipient(), data),
                child.definition(), child.version(), child.trigger(), data.input(), await.awaitsResult());
    }

    private static Request sleep(Node.Sleep sleep, Data data, Instant now) {
        Duration duration = evaluate(whose(sleep), "duration", node -> atMost(sleep.duration().apply(node)), data);
        return duration.isPositive() ? new Request.Sleep(now.plus(duration)) : new Request.Pass(false);
    }

    private static Duration atMost(Duration duration) {
        if (duration.compareTo(Inspection.DURATION_MAX) > 0) {
            throw new IllegalArgumentException("nobody sleeps for " + duration);
        }
        return duration;
    }
}
