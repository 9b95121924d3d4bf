package dev.pawl.engine.shard;

import dev.pawl.engine.store.Store;
import dev.pawl.kernel.message.Message;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Answers whose shard has left this engine before they were committed. They go to the inbox, where the next owner finds them; an answer
 * that arrives twice is a duplicate and does nothing. Safe for use by many threads.
 */
final class Stranded {

    private final Store store;
    private final String group;
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();

    Stranded(Store store, String group) {
        this.store = store;
        this.group = group;
    }

    void add(Collection<Message> stranded) {
        messages.addAll(stranded);
    }

    /** Posts what it can; the rest stays for the next time. */
    void post() {
        for (Message message = messages.poll(); message != null; message = messages.poll()) {
            try {
                store.post(group, message);
            } catch (RuntimeException e) {
                messages.add(message);
                return;
            }
        }
    }
}
