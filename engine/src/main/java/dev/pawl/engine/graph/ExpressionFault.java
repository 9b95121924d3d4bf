package dev.pawl.engine.graph;

import dev.pawl.engine.PawlException;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * A function of a graph has failed. On the way to an activity that is the end of the workflow; it gets out of a behaviour
 * only if the function answered when it was first asked and fails now: then it is not pure, and the definition is broken.
 */
final class ExpressionFault extends PawlException {

    private static final long serialVersionUID = 1L;
    private static final String CODE = "ExpressionFailed";
    private static final Payload ERROR = Payload.of(('"' + CODE + '"').getBytes(StandardCharsets.UTF_8));

    private ExpressionFault(String whose, String what, RuntimeException cause) {
        super(CODE, "the " + what + " of " + whose + " failed: " + cause, cause);
    }

    /**
     * Runs what a user wrote, and knows what to call it if it fails.
     *
     * @param what the kind of expression, for people
     */
    static <T> T evaluate(String whose, String what, Function<Data, T> expression, Data data) {
        try {
            T value = expression.apply(data);
            if (value == null) {
                throw new IllegalStateException("it gave null");
            }
            return value;
        } catch (RuntimeException e) {
            throw new ExpressionFault(whose, what, e);
        }
    }

    Ending ending() {
        return Ending.failed(String.valueOf(getMessage()), ERROR);
    }
}
