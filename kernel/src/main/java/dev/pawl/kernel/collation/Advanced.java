package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.message.Delivery;
import org.jspecify.annotations.Nullable;

/** The answer of the kernel to what the code of a flow has come to. */
public sealed interface Advanced {

    /**
     * It fits.
     *
     * @param again the end of the flow, if it must be delivered again after the commit; usually null
     */
    record Through(Bundle bundle, @Nullable Delivery again) implements Advanced {
    }

    /** The code ran on a state that is not there any more, or never was: it must be run again from what is durable. */
    record Outdated(String why) implements Advanced {
    }
}
