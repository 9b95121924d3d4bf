package dev.pawl.engine.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What has to be compensated if the flow fails or is cancelled. Safe for use by the branches of a flow. */
final class Rollbacks {

    private final Deque<Entry> entries = new ArrayDeque<>();

    /** One thing to be done about it. */
    sealed interface Undo {
    }

    /** Compensates one operation, as an operation of its own. */
    record Reversal(Consumer<Activities> compensation) implements Undo {
    }

    /** A workflow whose end is to be waited for. */
    record Ending(ChildOperation<?> child) implements Undo {
    }

    private record Entry(String id, Undo undo) {
    }

    synchronized void add(String id, Undo undo) {
        entries.push(new Entry(id, undo));
    }

    /** What a branch has left that lost: a later run of the code does not run it again, so it would not know of these. */
    synchronized void forget(String branch) {
        entries.removeIf(entry -> entry.id().startsWith(branch));
    }

    private synchronized Entry[] take() {
        Entry[] all = entries.toArray(Entry[]::new);
        entries.clear();
        return all;
    }

    /** The last first. */
    void run(BiConsumer<String, Undo> undo) {
        for (Entry entry : take()) {
            undo.accept(entry.id(), entry.undo());
        }
    }
}
