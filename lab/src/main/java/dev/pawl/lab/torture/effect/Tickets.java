package dev.pawl.lab.torture.effect;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which workflows are to be started: numbers, as many at a time as are wanted under way. A number that is not confirmed in time is handed
 * out again, for its process may be gone; to start the same workflow twice must change nothing. Safe for use by many threads.
 */
public final class Tickets {

    /** Nothing to start at the moment. */
    static final int NONE = -1;

    private static final long CONFIRM_NANOS_MAX = 5_000_000_000L;

    private final int openMax;
    private final Map<Integer, Long> unconfirmed = new TreeMap<>();
    private final Set<Integer> confirmed = new TreeSet<>();
    private final Set<Integer> finished = new HashSet<>();
    private int next;
    private boolean calm;

    public Tickets(int openMax) {
        this.openMax = openMax;
    }

    synchronized int next(long nanos) {
        for (Map.Entry<Integer, Long> each : unconfirmed.entrySet()) {
            if (nanos - each.getValue() > CONFIRM_NANOS_MAX) {
                each.setValue(nanos);
                return each.getKey();
            }
        }
        if (calm || next - finished.size() >= openMax) {
            return NONE;
        }
        unconfirmed.put(next, nanos);
        return next++;
    }

    /** The workflow was started, and signalled. */
    synchronized void confirmed(int number) {
        unconfirmed.remove(number);
        confirmed.add(number);
    }

    /** Its code has come to its end; said again if that is not recorded. */
    synchronized void finished(int number) {
        finished.add(number);
    }

    /** Hands out no new numbers any more. */
    public synchronized void calmDown() {
        calm = true;
    }

    /** Whether everything that was handed out is confirmed and has come to its end. */
    public synchronized boolean settled() {
        return unconfirmed.isEmpty() && finished.containsAll(confirmed);
    }

    /** What is not settled. */
    public synchronized String open() {
        Set<Integer> left = new TreeSet<>(confirmed);
        left.removeAll(finished);
        return "not confirmed: " + unconfirmed.keySet() + ", not finished: " + left;
    }

    /** The workflows that were acknowledged to a client. */
    public synchronized Set<Integer> acknowledged() {
        return new TreeSet<>(confirmed);
    }
}
