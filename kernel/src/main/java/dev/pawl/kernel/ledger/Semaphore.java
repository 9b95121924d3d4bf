package dev.pawl.kernel.ledger;

/** Open obligations: never negative, and back at its threshold when nothing is left to do. */
public record Semaphore(long open) {

    public Semaphore {
        Digits.require(open >= 0, "a semaphore is never negative", open);
    }

    /** A completing activity closes itself and opens its children: {@code delta = children - 1}. */
    public static long deltaOf(int children) {
        return children - 1L;
    }

    public Semaphore plus(long delta) {
        return new Semaphore(open + delta);
    }

    public boolean at(long threshold) {
        return open == threshold;
    }
}
