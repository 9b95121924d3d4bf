package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.message.Delivery;

/** What becomes of a message that is delivered again after an unclean takeover. */
public sealed interface Redelivery {

    /** To be committed before anything else is done. */
    Bundle bundle();

    /** Charged: it may run, as this delivery. */
    record Charged(Bundle bundle, Delivery delivery) implements Redelivery {
    }

    /** Entered as often as a message may be, and never got through: out of delivery, and shown. */
    record GivenUp(Bundle bundle, Entry.Overflow overflow) implements Redelivery {
    }
}
