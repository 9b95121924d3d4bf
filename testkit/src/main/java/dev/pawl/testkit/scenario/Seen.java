package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Data;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Payload;

/**
 * What a function sees when the oracle asks it.
 *
 * @param atEnd true if it makes the result, and so sees everything
 */
record Seen(Run run, Token here, boolean atEnd) implements Data {

    @Override
    public Recipient self() {
        return new Recipient(Scenario.GROUP, Scenario.key(run.id));
    }

    @Override
    public Recipient parent() {
        if (run.parent == null) {
            throw new IllegalStateException("no workflow started " + run.id);
        }
        return new Recipient(Scenario.GROUP, Scenario.key(run.parent.run().id));
    }

    @Override
    public ActivityKey activity() {
        return here.key;
    }

    @Override
    public Payload workflowInput() {
        return run.input;
    }

    @Override
    public Payload input() {
        return here.input;
    }

    @Override
    public Payload output() {
        return here.key.equals(run.trigger()) ? run.input : here.output;
    }

    @Override
    public Payload output(String activity) {
        if (activity.equals(run.graph.trigger())) {
            return run.input;
        }
        if (atEnd) {
            return run.tokens.values().stream()
                    .filter(token -> token.key.activity().equals(activity))
                    .reduce((earlier, later) -> later).map(token -> token.output).orElse(Payload.EMPTY);
        }
        if (activity.equals(here.key.activity())) {
            return here.output;
        }
        return here.onTheWay(activity).orElseThrow().output;
    }
}
