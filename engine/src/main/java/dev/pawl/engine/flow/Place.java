package dev.pawl.engine.flow;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The right of one attempt to run its user code. It is left once: by the code when it has ended, or by the strand if the code never got
 * it. Safe for use by many threads.
 */
final class Place {

    private final Places places;
    private final CompletableFuture<Void> turn;
    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);

    private enum State {
        FREE, TAKEN, LEFT
    }

    Place(Places places, CompletableFuture<Void> turn) {
        this.places = places;
        this.turn = turn;
    }

    /** Comes when it is there. */
    CompletableFuture<Void> turn() {
        return turn;
    }

    /** User code has it from now on, and leaves it at its end. */
    void take() {
        state.compareAndSet(State.FREE, State.TAKEN);
    }

    /** The strand does not need it: left, unless user code has it. */
    void giveBack() {
        if (state.compareAndSet(State.FREE, State.LEFT)) {
            places.left(turn);
        }
    }

    /** The user code has ended. */
    void leave() {
        if (state.getAndSet(State.LEFT) != State.LEFT) {
            places.left(turn);
        }
    }
}
