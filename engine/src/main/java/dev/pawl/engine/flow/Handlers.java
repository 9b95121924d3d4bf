package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How one run of the code answers updates and queries, as far as it has come to where it says so. */
final class Handlers {

    private final Guard guard;
    // Under the lock.
    private final Map<String, Updating> updates = new LinkedHashMap<>();
    private final Map<String, Answering> queries = new LinkedHashMap<>();

    /** How queries of one name are answered. */
    interface Answering {

        Payload answer(Payload input) throws Exception;
    }

    /** How updates of one name are answered. */
    interface Updating {

        /** Throws if the update is to be refused: a {@link PayloadError} if the handler cannot read it. */
        void validate(Payload input) throws Exception;

        /**
         * An input that was accepted, and cannot be read now, parks the workflow: it is the code that does not fit.
         *
         * @param operation which one records the answer
         */
        Payload answer(FlowContext context, String operation, Payload input) throws Exception;

        /** Whether it may begin while others wait. */
        boolean concurrent();
    }

    Handlers(Guard guard) {
        this.guard = guard;
    }

    void onUpdate(String name, Updating updating) {
        guard.run(() -> updates.put(name, updating));
    }

    @Nullable Updating update(String name) {
        return guard.locked(() -> updates.get(name));
    }

    void onQuery(String name, Answering answering) {
        guard.run(() -> queries.put(name, answering));
    }

    @Nullable Answering query(String name) {
        return guard.locked(() -> queries.get(name));
    }
}
