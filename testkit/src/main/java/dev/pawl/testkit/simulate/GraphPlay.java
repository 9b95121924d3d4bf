package dev.pawl.testkit.simulate;

import dev.pawl.engine.Definition;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.testkit.scenario.Effect;
import dev.pawl.testkit.scenario.Outcome;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import java.util.List;

/** A scenario of graphs. */
record GraphPlay(Scenario scenario) implements Play {

    @Override
    public List<Definition> definitions(Site site) {
        return List.copyOf(scenario.definitions());
    }

    @Override
    public List<Start> starts() {
        return scenario.starts();
    }

    @Override
    public List<Stimulus> stimuli() {
        return scenario.stimuli();
    }

    @Override
    public Message.Start message(Start start) {
        return scenario.message(start);
    }

    @Override
    public Response answer(Task task) {
        return scenario.workers().answer(task.queue(), task.activity(), task.input());
    }

    @Override
    public List<String> differences(List<Snapshot> ends, List<Effect> effects) {
        return scenario.differences(Outcome.of(ends, effects));
    }
}
