package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;

/**
 * A signal came that is not of the type its wait asks for. It is used up: the code that catches this may wait for another one. Nothing
 * is taken back because of it: a flow that does not catch it is parked, and goes on when code is there that can read it.
 */
public final class SignalUnreadable extends PawlException {

    static final String CODE = "SignalUnreadable";

    private static final long serialVersionUID = 1L;

    private final String operation;
    private final transient PayloadError error;

    SignalUnreadable(String operation, PayloadError error) {
        super(CODE, operation + ": " + error.getMessage(), null);
        this.operation = operation;
        this.error = error;
    }

    /** The wait it came to. */
    public String operation() {
        return operation;
    }

    /** What is wrong with it: the type the wait asks for, the place, and what is there. */
    public PayloadError error() {
        return error;
    }
}
