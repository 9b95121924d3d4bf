package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;

/** What becomes of a few workflows from their start to their end, one bundle after the other. */
interface Story {

    /** True if the next bundle may stand at this place of a recording, because no batch will hold what it builds on too. */
    boolean ready(long position);

    boolean over();

    /** The bundle of the next transition, and the position it will have. */
    Bundle next(long position);
}
