package dev.pawl.testkit.sim;

/** The engine that meets it is dead: an Error, so that nothing in the engine can catch it by mistake. */
public final class SimCrash extends Error {

    private static final long serialVersionUID = 1L;

    public SimCrash() {
        super("simulated crash", null, false, false);
    }
}
