package dev.pawl.engine.limit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A queue in which keys take turns, and those of one key come in their order: so a key of which many wait holds up no other. Not
 * thread-safe.
 */
final class FairQueue<W> {

    /** The key whose turn it is comes first. */
    private final Map<String, Deque<W>> byKey = new LinkedHashMap<>();
    private int size;

    void add(String key, W waiter) {
        byKey.computeIfAbsent(key, none -> new ArrayDeque<>()).add(waiter);
        size++;
    }

    /** The next ones, in the order they are to be served. They stay where they are. */
    List<W> next(int max) {
        List<W> next = new ArrayList<>();
        List<Iterator<W>> turns = new ArrayList<>(byKey.values().stream().limit(max).map(Deque::iterator).toList());
        while (next.size() < max && !turns.isEmpty()) {
            List<Iterator<W>> again = new ArrayList<>();
            for (Iterator<W> turn : turns) {
                if (next.size() < max) {
                    next.add(turn.next());
                }
                if (turn.hasNext()) {
                    again.add(turn);
                }
            }
            turns = again;
        }
        return next;
    }

    /** Its key has had its turn. */
    void served(String key, W waiter) {
        if (remove(key, waiter)) {
            Deque<W> rest = byKey.remove(key);
            if (rest != null) {
                byKey.put(key, rest);
            }
        }
    }

    /** Does not want to wait any longer. False if it does not wait here. */
    boolean remove(String key, W waiter) {
        Deque<W> sameKey = byKey.get(key);
        if (sameKey == null || !sameKey.remove(waiter)) {
            return false;
        }
        size--;
        if (sameKey.isEmpty()) {
            byKey.remove(key);
        }
        return true;
    }

    int size() {
        return size;
    }
}
