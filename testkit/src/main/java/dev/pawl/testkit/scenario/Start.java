package dev.pawl.testkit.scenario;

import dev.pawl.kernel.message.Payload;

/** A workflow to start from outside. */
public record Start(String workflowId, String definition, Payload input) {

    @Override
    public String toString() {
        return workflowId + " = " + definition + "(" + Text.in(input) + ")";
    }
}
