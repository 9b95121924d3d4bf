package dev.pawl.kernel.lifecycle;

/** An event that the present state does not allow; the table in {@code docs/LIFECYCLES.md} says which ones it does. */
public final class IllegalTransition extends RuntimeException {

    private static final long serialVersionUID = 1L;

    IllegalTransition(String message) {
        super(message);
    }
}
