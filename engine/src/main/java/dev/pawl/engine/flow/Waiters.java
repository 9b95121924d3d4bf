package dev.pawl.engine.flow;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Incarnations all of whose strands wait, durably, and how many of them are kept. Safe for use by many threads. */
final class Waiters {

    private final int keptMax;
    private final Set<Incarnation> waiting = new LinkedHashSet<>();

    Waiters(int keptMax) {
        this.keptMax = keptMax;
    }

    /** Adds one; returns the one that has waited longest, which is not one of them any more, if there are too many. */
    synchronized @Nullable Incarnation add(Incarnation incarnation) {
        waiting.remove(incarnation);
        waiting.add(incarnation);
        if (waiting.size() <= keptMax) {
            return null;
        }
        Iterator<Incarnation> first = waiting.iterator();
        Incarnation eldest = first.next();
        first.remove();
        return eldest;
    }

    synchronized void remove(Incarnation incarnation) {
        waiting.remove(incarnation);
    }
}
