package dev.pawl.engine.shard;

import dev.pawl.engine.store.Rejection;

/** What became of a batch, when the store has said so. */
sealed interface Verdict {

    /** Durable, and what follows from it has happened. */
    record Through() implements Verdict {
    }

    /** The shard is somebody else's. */
    record Stale() implements Verdict {
    }

    /** Nothing was written, on account of one bundle. */
    record Rejected(int bundle, Rejection why) implements Verdict {
    }

    /** Nothing was written: the store cannot digest it, and has not said what of it. */
    record Indigestible(RuntimeException cause) implements Verdict {
    }

    /** What is to be done about a message that was alone in its commit. */
    enum Single {
        THROUGH,
        /** Computed again from what is stored. */
        AGAIN,
        /** Not there any more: somebody has taken it out. */
        GONE,
        /** It can never be committed, whatever is stored. */
        AT_FAULT
    }
}
