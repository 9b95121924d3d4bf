package dev.pawl.engine.shard;

import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Fence;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How it stands between a loop and its shard. State and fence change together: leases are renewed from another thread, which must
 * not take a loop for lost on account of a fence that the loop has just replaced. What is lost stays lost.
 *
 * <p>Safe for use by many threads.
 */
final class Standing {

    private final AtomicReference<Now> now;
    private volatile @Nullable String trouble;

    private record Now(State state, Fence fence) {
    }

    Standing(Fence fence) {
        this.now = new AtomicReference<>(new Now(State.OWNED, fence));
    }

    State state() {
        return now.get().state();
    }

    Fence fence() {
        return now.get().fence();
    }

    @Nullable String trouble() {
        return trouble;
    }

    void trouble(@Nullable String reason) {
        trouble = reason;
    }

    /** Nobody heard what became of a write. */
    void unsure() {
        change(before -> before.state() == State.OWNED ? new Now(State.UNSURE, before.fence()) : before);
    }

    /** Owned for sure, in an epoch of which nobody else has heard. */
    void owned(Fence raised) {
        change(before -> before.state() == State.UNSURE ? new Now(State.OWNED, raised) : before);
    }

    /**
     * The store knows a later epoch than this fence's. Of a loop that is unsure it proves nothing: the later epoch may be its
     * own, raised without hearing of it.
     */
    void stale(Fence fence) {
        change(before -> before.fence().equals(fence) && before.state() != State.UNSURE
                ? new Now(State.LOST, fence)
                : before);
    }

    /** Somebody else's, beyond doubt. */
    void lost() {
        change(before -> new Now(State.LOST, before.fence()));
    }

    void givenBack() {
        change(before -> new Now(State.GIVEN_BACK, before.fence()));
    }

    void broken(@Nullable String reason) {
        trouble = reason;
        change(before -> new Now(State.BROKEN, before.fence()));
    }

    private void change(UnaryOperator<Now> change) {
        now.updateAndGet(before -> before.state() == State.LOST ? before : change.apply(before));
    }
}
