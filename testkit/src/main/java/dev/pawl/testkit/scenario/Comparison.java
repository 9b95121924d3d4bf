package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Two outcomes of one scenario, compared in what is fixed, as bags of facts. */
record Comparison(Scenario scenario) {

    List<String> differences(Outcome expected, Outcome actual) {
        boolean effects = expected.effects() != null && actual.effects() != null;
        Map<String, Integer> surplus = new TreeMap<>();
        facts(actual, effects).forEach(fact -> surplus.merge(fact, 1, Integer::sum));
        facts(expected, effects).forEach(fact -> surplus.merge(fact, -1, Integer::sum));
        List<String> differences = new ArrayList<>();
        surplus.forEach((fact, times) -> {
            if (times != 0) {
                differences.add((times > 0 ? "surplus" : "missing") + " x" + Math.abs(times) + ": " + fact);
            }
        });
        return differences;
    }

    private List<String> facts(Outcome outcome, boolean withEffects) {
        List<String> facts = new ArrayList<>();
        for (Outcome.Workflow workflow : outcome.workflows()) {
            String id = workflow.workflowId();
            String who = scenario.certainty().alike().contains(id) ? "one of those alike" : id;
            facts.add(who + " " + workflow.status() + " '" + workflow.output() + "'");
        }
        outcome.activities().stream()
                .filter(activity -> scenario.certainty().exact(activity.workflowId()))
                .forEach(activity -> facts.add(activity.workflowId() + " " + activity.key() + " " + activity.status()
                        + " '" + activity.input() + "' -> '" + activity.output() + "'"));
        if (withEffects && outcome.effects() != null) {
            outcome.effects().stream().filter(this::fixed).forEach(effect -> facts.add(effect.toString()));
        }
        return facts;
    }

    private boolean fixed(Effect effect) {
        return scenario.certainty().exact(effect.from())
                && !scenario.certainty().alike().contains(effect.to())
                && !(effect.kind() == Effect.Kind.SIGNAL && toAll(effect));
    }

    /** Whom a signal to all reaches depends on who waits at the time. */
    private boolean toAll(Effect signal) {
        return scenario.definitions().stream()
                .flatMap(graph -> graph.nodes().stream())
                .anyMatch(node -> node instanceof Node.SignalAll all && signal.what().startsWith(all.topic() + "("));
    }
}
