package dev.pawl.engine.shard;

import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.collation.Audience;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.Recipient;
import org.jspecify.annotations.Nullable;

/**
 * The workflows whose hooks wait on a topic, read when leg one asks for them: one page for each transition, kept for as long as the
 * transition lasts, so that the kernel hears the same twice.
 */
final class HookedWorkflows implements Audience {

    private final Store store;
    private final String namespace;
    private @Nullable Targets page;

    HookedWorkflows(Store store, String namespace) {
        this.store = store;
        this.namespace = namespace;
    }

    @Override
    public Targets targets(String topic, @Nullable String cursor) {
        if (page == null) {
            Page<Recipient> hooked = store.hooked(namespace, topic, cursor, Collation.FAN_OUT_MAX);
            page = new Targets(hooked.items(), hooked.next());
        }
        return page;
    }
}
