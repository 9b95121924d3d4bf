package dev.pawl.engine;

import dev.pawl.kernel.id.Names;

/** Something the user gave that cannot be taken as it is; the message says what would be. */
public final class ValidationFailed extends PawlException {

    private static final long serialVersionUID = 1L;

    public ValidationFailed(String message) {
        super("ValidationFailed", message, null);
    }

    /** Returns the name, or says what is wrong with it. */
    public static String name(String what, String name) {
        try {
            return Names.require(what, name);
        } catch (IllegalArgumentException e) {
            throw new ValidationFailed(String.valueOf(e.getMessage()));
        }
    }
}
