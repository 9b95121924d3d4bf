package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How one run of the code answers updates and queries, as far as it has come to where it says so. */
final class Handlers {

    private final Guard guard;
    // Under the lock.
    private final Map<String, Answering> updates = new LinkedHashMap<>();
    private final Map<String, Answering> queries = new LinkedHashMap<>();

    /** How updates or queries of one name are answered. */
    interface Answering {

        Payload answer(Payload input) throws Exception;
    }

    Handlers(Guard guard) {
        this.guard = guard;
    }

    void onUpdate(String name, Answering answering) {
        guard.run(() -> updates.put(name, answering));
    }

    @Nullable Answering update(String name) {
        return guard.locked(() -> updates.get(name));
    }

    void onQuery(String name, Answering answering) {
        guard.run(() -> queries.put(name, answering));
    }

    @Nullable Answering query(String name) {
        return guard.locked(() -> queries.get(name));
    }
}
