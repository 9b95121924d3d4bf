package dev.pawl.engine.task;

import dev.pawl.kernel.collation.Advance;

/** What the code of a flow hands in, and how it hears what became of it: one of the two, once, from any thread, without blocking. */
public interface Submission {

    Advance advance();

    /** It is durable. */
    void committed();

    /** It will never be: the code has to begin anew from what is. */
    void outdated(String why);
}
