package dev.pawl.engine.graph;

import dev.pawl.engine.PawlException;
import java.util.List;

/** A graph that cannot be run, with everything that is wrong with it. */
public final class InvalidGraph extends PawlException {

    private static final long serialVersionUID = 1L;

    private final String[] problems;

    InvalidGraph(String graph, List<String> problems) {
        super("ValidationFailed", "graph '" + graph + "' cannot be run:\n- " + String.join("\n- ", problems), null);
        this.problems = problems.toArray(String[]::new);
    }

    /** One sentence each; each names its node. */
    public List<String> problems() {
        return List.of(problems);
    }
}
