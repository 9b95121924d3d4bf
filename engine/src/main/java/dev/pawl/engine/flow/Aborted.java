package dev.pawl.engine.flow;

/**
 * It was decided that the workflow fails, and nothing the code could do would change that. An error, so that no
 * {@code catch (Exception)} of the user's takes it for one of his own; what was done before is taken back all the same.
 */
final class Aborted extends Error {

    private static final long serialVersionUID = 1L;

    /** How an operation is recorded that was aborted: a code that no failure of a user's has. */
    static final String CODE = "pawl:aborted";

    private final String code;

    Aborted(String code, String why) {
        super(why, null, false, false);
        this.code = code;
    }

    /** Why, for programs. */
    String code() {
        return code;
    }
}
