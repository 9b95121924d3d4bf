package dev.pawl.engine.task;

import dev.pawl.kernel.collation.Advance;

/** What the code of a flow hands in, and how it hears what became of it: one of the three, once, from any thread, without blocking. */
public interface Submission {

    Advance advance();

    /** Whether it still counts: the run of the code that handed it in may be over, and another one may have begun without it. */
    default boolean stands() {
        return true;
    }

    /** It is durable. */
    void committed();

    /** It will never be: the code has to begin anew from what is. */
    void outdated(String why);

    /** It never can be, whenever it is handed in: no store takes it. */
    void refused(String why);
}
