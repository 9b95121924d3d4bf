package dev.pawl;

import dev.pawl.engine.flow.DecisionKind;
import java.util.Set;

/** Something that goes on only when a person has decided. */
public sealed interface Case {

    /** To be handed to {@link Attention#decide}; opaque, and fit for a path. */
    String id();

    String workflowId();

    Evidence evidence();

    Set<DecisionKind> allowed();

    /** Nobody can tell whether an operation has happened, or what it came to. */
    record IndeterminateOperation(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /** An operation was under way when its process ended, and must never be begun twice. */
    record LostOperation(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /** The outside world does not confirm what is recorded. */
    record UnconfirmedOperation(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /** A workflow is over, and nobody can tell whether one of its effects has happened. */
    record UnknownEffect(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /**
     * A workflow is over, and one of its compensations has failed for good: a person has to find out what has happened, and to do the rest
     * by hand. The evidence names the compensation; the decision says whether it is done, and nothing follows from it.
     */
    record FailedCompensation(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /**
     * The definition of the workflow, or of a child it is to start, is not registered in the engine that drives it. It goes on by itself
     * when a program is there that has it. Aborted without its definition, it does not tell its children of its end.
     */
    record MissingDefinition(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /** The code of a flow cannot go on: it does not fit its record, or an error has stopped it. */
    record ParkedWorkflow(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }

    /** A message was tried as often as a message may be. */
    record GivenUpMessage(String id, String workflowId, Evidence evidence, Set<DecisionKind> allowed)
            implements Case {
    }
}
