package dev.pawl.engine.flow;

import dev.pawl.kernel.id.Names;
import dev.pawl.kernel.message.Payload;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Leaves the code of a flow that goes on in another workflow. Not an exception that a {@code catch (Exception)} would stop. */
final class ContinueAsNew extends Error {

    private static final long serialVersionUID = 1L;
    private static final Pattern GENERATION = Pattern.compile("(.*)~(\\d{1,9})");

    private final transient Payload input;

    ContinueAsNew(Payload input) {
        super("continues as new", null, false, false);
        this.input = input;
    }

    Payload input() {
        return input;
    }

    /** {@code order-1}, then {@code order-1~2}, then {@code order-1~3}. */
    String successor(String workflowId) {
        Matcher later = GENERATION.matcher(workflowId);
        String next = later.matches()
                ? later.group(1) + "~" + (Integer.parseInt(later.group(2)) + 1)
                : workflowId + "~2";
        return Names.require("the id of the workflow that goes on", next);
    }
}
