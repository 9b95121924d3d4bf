package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Graph;
import java.util.random.RandomGenerator;

/** Draws scenarios at random. The same source of chance draws the same scenario; every one of them ends. */
public final class Generator {

    private static final int NODES_MAX = 40;
    private static final int STARTS_MAX = 3;

    private Generator() {
    }

    public static Scenario scenario(RandomGenerator random) {
        Surroundings around = new Surroundings(random);
        GraphSketch sketch = new GraphSketch(around, "top", random.nextInt(NODES_MAX), 0, random.nextInt(4) == 0);
        Graph graph = sketch.draw();
        ScenarioBuilder scenario = Scenario.named("generated " + Integer.toHexString(graph.toString().hashCode()));
        around.settle(scenario);
        int starts = random.nextInt(1, STARTS_MAX + 1);
        for (int i = 0; i < starts; i++) {
            String id = "w" + i;
            scenario.start(id, graph, Integer.toHexString(random.nextInt()));
            sketch.hooks().forEach(topic -> scenario.signal(id, topic, "outside", around.news(), around.moment()));
            if (sketch.racy()) {
                scenario.loose(id);
            }
        }
        return scenario.build();
    }
}
