package dev.pawl.testkit.flows;

import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import java.util.List;
import java.util.Map;

/**
 * Made-up flows, and what comes to them from outside.
 *
 * @param programs by workflow, children included
 */
public record Troupe(Map<String, List<Op>> programs, List<Start> starts, List<Stimulus> stimuli) {

    public Troupe {
        programs = Map.copyOf(programs);
        starts = List.copyOf(starts);
        stimuli = List.copyOf(stimuli);
    }

    List<Op> program(String workflowId) {
        List<Op> program = programs.get(workflowId);
        if (program == null) {
            throw new IllegalArgumentException("nobody has made up " + workflowId);
        }
        return program;
    }
}
