package dev.pawl.kernel.collation;

import dev.pawl.kernel.id.Recipient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which workflows wait on a topic: for {@link Request.SignalAll}. An argument of the transition and no part of a {@link Behaviour}, so that
 * whoever knows the waiting workflows need not wrap the definition.
 */
@FunctionalInterface
public interface Audience {

    /** For transitions that signal one workflow at most: being asked is a fault. */
    Audience NONE = (topic, cursor) -> {
        throw new DefinitionFault("a signal to all that wait on " + topic + " needs an audience");
    };

    /** One page from a cursor on; the same page whenever the same transition asks. */
    Targets targets(String topic, @Nullable String cursor);

    /** One page of targets, and where the next one begins, if there is one. */
    record Targets(List<Recipient> page, @Nullable String next) {

        public Targets {
            page = List.copyOf(page);
        }
    }
}
