package dev.pawl.engine;

import dev.pawl.kernel.collation.Behaviour;

/** What can be run. Immutable, safe for use by many threads, and the same for every workflow of it. */
public interface Definition {

    String name();

    String version();

    /** The activity that every workflow of it starts with. */
    String trigger();

    /** What it tells the kernel; pure. */
    Behaviour behaviour();
}
