package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.ENOUGH;
import static dev.pawl.testkit.scenario.Parts.QUEUE;
import static dev.pawl.testkit.scenario.Parts.say;

import dev.pawl.engine.graph.Child;
import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.testkit.scenario.Pencil.End;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Blocks of one or two nodes. Each takes a loose end and leaves one. */
record Blocks(Pencil pencil, Surroundings around, RandomGenerator random) {

    End work(End end) {
        return End.of(pencil.worker(end, QUEUE));
    }

    End sleep(End end) {
        String node = pencil.node(end);
        int millis = random.nextInt(3_600_000);
        pencil.graph.sleep(node, data -> Duration.ofMillis(millis));
        return End.of(node);
    }

    End pass(End end) {
        String node = pencil.node(end);
        pencil.graph.pass(node);
        return End.of(node);
    }

    /** A signal to itself, and a hook that takes it, or takes the same from another round. */
    End talk(End end) {
        String tell = pencil.node(end);
        pencil.graph.signalOne(tell, Data::self, tell, say(tell + " says hello"));
        String hook = pencil.node(End.of(tell));
        pencil.graph.webHook(hook, tell);
        return End.of(hook);
    }

    /** A hook whose topic is its name. */
    End hook(End end) {
        String hook = pencil.node(end);
        pencil.graph.webHook(hook, hook);
        return End.of(hook);
    }

    End tell(End end) {
        String node = pencil.node(end);
        String keeper = around.wants(Surroundings.KEEPER);
        pencil.graph.signalOne(node, data -> data.other(keeper), keeper, say(Surroundings.NEWS));
        return End.of(node);
    }

    End shout(End end) {
        String node = pencil.node(end);
        pencil.graph.signalAll(node, around.wants(Surroundings.HERD), say(Surroundings.NEWS));
        return End.of(node);
    }

    End stop(End end) {
        String node = pencil.node(end);
        String victim = around.wants(Surroundings.VICTIM);
        pencil.graph.interruptAnother(node, data -> data.other(victim), data -> ENOUGH);
        return End.of(node);
    }

    /** A worker that fails and an edge that takes it. */
    End mend(End end) {
        return End.onFailureOf(pencil.worker(end, Workers.BROKEN));
    }

    /** A child workflow with an id of its own for every activity, plane and parent. */
    String child(End end, Graph definition, boolean awaitsResult) {
        String node = pencil.node(end);
        pencil.graph.await(node, Child.of(definition, Blocks::ownId), data -> Text.of(data.activity().toString()),
                awaitsResult);
        return node;
    }

    /** Short, because the ids of generations would add up. */
    private static Recipient ownId(Data data) {
        String parent = data.self().workflow().workflowId();
        return data.other("c-" + Guid.derive("generated", parent, data.activity().toString()));
    }

    /** An end of the whole workflow before its time. */
    void end(End end) {
        switch (random.nextInt(4)) {
            case 0 -> pencil.worker(end, Workers.BROKEN);
            case 1 -> pencil.graph.interruptAnother(pencil.node(end), Data::self, data -> ENOUGH);
            case 2 -> pencil.graph.pass(pencil.node(new End(pencil.plain(end), Blocks::broken, false)));
            default -> pencil.graph.interruptSelf(pencil.node(end), data -> ENOUGH);
        }
    }

    private static boolean broken(Data data) {
        throw new IllegalStateException("a condition that fails at " + data.activity());
    }
}
