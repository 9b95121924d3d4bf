package dev.pawl.engine.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/** What is to be taken back if the flow does not come to a good end. Safe for use by the branches of a flow. */
final class Rollbacks {

    private final Deque<Entry> entries = new ArrayDeque<>();

    /** One thing to be done about it. */
    sealed interface Undo {
    }

    /** Something that takes back what was done. */
    record Reversal(FlowContext.Effect effect) implements Undo {
    }

    /** A workflow whose end is to be waited for. */
    record Ending(ChildOperation<?> child) implements Undo {
    }

    private record Entry(String id, Undo undo) {
    }

    void add(String id, FlowContext.Effect effect) {
        add(id, new Reversal(effect));
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
