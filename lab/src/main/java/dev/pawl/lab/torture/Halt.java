package dev.pawl.lab.torture;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Where a process ends itself: at the k-th call of one method of its store, before the call or after it. As sudden as a kill, but
 * at a place that chance finds only rarely.
 */
final class Halt {

    static final int EXIT_CODE = 9;

    /** Mostly at commits: there the digits are written. The others are where a client or an owner is left without an answer. */
    private static final String[] METHODS =
            {"commit", "commit", "commit", "commit", "commit", "start", "signal", "claim", "renew", "post"};
    private static final int COMMITS_MAX = 300;
    private static final int OTHERS_MAX = 12;

    private final String method;
    private final int call;
    private final boolean after;
    private final AtomicInteger calls = new AtomicInteger();

    private Halt(String method, int call, boolean after) {
        this.method = method;
        this.call = call;
        this.after = after;
    }

    /** {@code commit:17:after}. */
    static Halt parse(String text) {
        String[] parts = text.split(":", -1);
        return new Halt(parts[0], Integer.parseInt(parts[1]), parts[2].equals("after"));
    }

    static Halt random(RandomGenerator random) {
        String method = METHODS[random.nextInt(METHODS.length)];
        int max = method.equals("commit") ? COMMITS_MAX : OTHERS_MAX;
        // Small numbers as often as large ones: what is done first after a restart is what differs from all the rest.
        int call = 1 + random.nextInt(1 + random.nextInt(max));
        return new Halt(method, call, random.nextBoolean());
    }

    void before(String called) {
        if (called.equals(method) && calls.incrementAndGet() == call && !after) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    void after(String called) {
        if (after && called.equals(method) && calls.get() >= call) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    @Override
    public String toString() {
        return method + ":" + call + ":" + (after ? "after" : "before");
    }
}
