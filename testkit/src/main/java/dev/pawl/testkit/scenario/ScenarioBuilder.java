package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Graph;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Stimulus.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Writes a scenario down. Not thread-safe. */
public final class ScenarioBuilder {

    private final String name;
    private final Map<String, Graph> definitions = new LinkedHashMap<>();
    private final List<Start> starts = new ArrayList<>();
    private final List<Stimulus> stimuli = new ArrayList<>();
    private final Set<String> loose = new TreeSet<>();
    private final Set<String> alike = new TreeSet<>();
    private Workers workers = Workers::echo;

    ScenarioBuilder(String name) {
        this.name = name;
    }

    /** Definitions that only other workflows start. */
    public ScenarioBuilder knows(Graph... graphs) {
        for (Graph graph : graphs) {
            definitions.putIfAbsent(graph.name(), graph);
        }
        return this;
    }

    public ScenarioBuilder start(String workflowId, Graph graph, String input) {
        starts.add(new Start(workflowId, graph.name(), Text.of(input)));
        return knows(graph);
    }

    public ScenarioBuilder signal(String workflowId, String topic, String signalId, String payload) {
        return signal(workflowId, topic, signalId, new Response.Final(Text.of(payload)), Moment.AT_ONCE);
    }

    public ScenarioBuilder lateSignal(String workflowId, String topic, String signalId, String payload) {
        return signal(workflowId, topic, signalId, new Response.Final(Text.of(payload)), Moment.WHEN_IDLE);
    }

    public ScenarioBuilder signal(String workflowId, String topic, String signalId, Response response, Moment moment) {
        stimuli.add(new Stimulus.Signal(workflowId, topic, signalId, response, moment));
        return this;
    }

    public ScenarioBuilder interrupt(String workflowId, Ending ending, Moment moment) {
        stimuli.add(new Stimulus.Interrupt(workflowId, ending, moment));
        return this;
    }

    public ScenarioBuilder workers(Workers answers) {
        workers = answers;
        return this;
    }

    /** Of these only status and output are fixed. */
    public ScenarioBuilder loose(String... workflowIds) {
        loose.addAll(List.of(workflowIds));
        return this;
    }

    /** These race, and may end as one another. */
    public ScenarioBuilder alike(String... workflowIds) {
        alike.addAll(List.of(workflowIds));
        return this;
    }

    public Scenario build() {
        return new Scenario(name, List.copyOf(definitions.values()), starts, stimuli, workers,
                new Certainty(loose, alike));
    }
}
