package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Graph;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import java.util.List;

/**
 * Workflows to run, and what is known of their end.
 *
 * <p>The starts are made in their order, each when the one before it is durable: a workflow may send to those started
 * before it. A stimulus comes when its workflow has been started; a closed workflow may refuse it. Everything else may
 * happen in any order, except that what one workflow sends to another arrives in the order it was sent.
 */
public record Scenario(String name, List<Graph> definitions, List<Start> starts, List<Stimulus> stimuli,
        Workers workers, Certainty certainty) {

    public static final String NAMESPACE = "scenario";
    public static final String GROUP = "graphs";

    public Scenario {
        definitions = List.copyOf(definitions);
        starts = List.copyOf(starts);
        stimuli = List.copyOf(stimuli);
    }

    public static ScenarioBuilder named(String name) {
        return new ScenarioBuilder(name);
    }

    public static WorkflowKey key(String workflowId) {
        return new WorkflowKey(NAMESPACE, workflowId);
    }

    /** True if the whole durable state at the end is independent of timing and order. */
    public boolean exact() {
        return certainty.exact();
    }

    public Graph definition(String definition) {
        return definitions.stream().filter(one -> one.name().equals(definition)).findFirst().orElseThrow();
    }

    /** What the kernel gets to see of a start. */
    public Message.Start message(Start start) {
        Graph graph = definition(start.definition());
        return new Message.Start(key(start.workflowId()), new Message.Beginning(GROUP, graph.name(), graph.version(),
                graph.trigger(), 0, start.input(), null));
    }

    /** How a run differs from what the oracle says, in what is fixed; one line each, none if it does not. */
    public List<String> differences(Outcome actual) {
        return new Comparison(this).differences(Oracle.outcome(this), actual);
    }

    @Override
    public String toString() {
        return name;
    }

    /** Everything about it but its functions, for people. */
    public String drawing() {
        return name + "\n" + definitions + "\n" + starts + "\n" + stimuli;
    }
}
