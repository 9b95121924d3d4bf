package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.ENOUGH;
import static dev.pawl.testkit.scenario.Parts.graph;
import static dev.pawl.testkit.scenario.Parts.path;

import dev.pawl.engine.graph.Graph;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Stimulus.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * The other workflows of a generated scenario, started before its own. Each of them gets from outside, too, what the graphs
 * may send it, so that it ends in the same way whether they do or not.
 */
final class Surroundings {

    static final String KEEPER = "keeper";
    static final String HERD = "herd";
    static final String VICTIM = "victim";
    static final String NEWS = "news";

    private static final int HERD_SIZE = 3;

    private final RandomGenerator random;
    private final List<Graph> children = new ArrayList<>();
    private final Set<String> wanted = new TreeSet<>();
    private int drawn;

    Surroundings(RandomGenerator random) {
        this.random = random;
    }

    RandomGenerator random() {
        return random;
    }

    Response news() {
        return new Response.Final(Text.of(NEWS));
    }

    Moment moment() {
        return random.nextBoolean() ? Moment.AT_ONCE : Moment.WHEN_IDLE;
    }

    /** Somebody to send to; the topic it waits on has its name. */
    String wants(String other) {
        wanted.add(other);
        return other;
    }

    Graph child(int nodes, int generation, boolean mayEnd) {
        Graph child = new GraphSketch(this, "child" + ++drawn, nodes, generation, mayEnd).draw();
        children.add(child);
        return child;
    }

    void settle(ScenarioBuilder scenario) {
        scenario.knows(children.toArray(Graph[]::new));
        for (String other : wanted) {
            Graph waiting = path(graph(other).webHook("hook", other).pass("after"), BEGIN, "hook", "after").build();
            switch (other) {
                case KEEPER -> waiter(scenario, KEEPER, waiting);
                case VICTIM -> scenario.start(VICTIM, waiting, "").interrupt(VICTIM, ENOUGH, moment()).loose(VICTIM);
                default -> {
                    for (int i = 0; i < HERD_SIZE; i++) {
                        waiter(scenario, HERD + i, waiting);
                    }
                }
            }
        }
    }

    private void waiter(ScenarioBuilder scenario, String id, Graph waiting) {
        scenario.start(id, waiting, "").signal(id, waiting.name(), "outside", news(), moment());
    }
}
