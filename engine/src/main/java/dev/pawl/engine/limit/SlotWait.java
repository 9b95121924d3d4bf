package dev.pawl.engine.limit;

import dev.pawl.engine.store.SlotHolder;
import java.util.concurrent.CompletableFuture;

/** Somebody who wants slots: waits for them, has them, or does not want them any more. Safe for use by many threads. */
public final class SlotWait {

    private final Line line;
    private final SlotHolder holder;
    private final CompletableFuture<Void> turn = new CompletableFuture<>();
    /** Guarded by the lock of the pools. */
    private boolean gone;

    SlotWait(Line line, SlotHolder holder) {
        this.line = line;
        this.holder = holder;
    }

    /** Comes when it has its slots. */
    public CompletableFuture<Void> turn() {
        return turn;
    }

    /** Does not want to wait any longer, or has no use for its slots any more. Done twice it is nothing. */
    public void end() {
        line.leave(this);
    }

    SlotHolder holder() {
        return holder;
    }

    boolean gone() {
        return gone;
    }

    /** False if it was gone before. */
    boolean go() {
        boolean first = !gone;
        gone = true;
        return first;
    }
}
