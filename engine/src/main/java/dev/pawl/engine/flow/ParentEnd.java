package dev.pawl.engine.flow;

/**
 * What becomes of a workflow when the one that has started it fails, is cancelled, or is ended by somebody. If that one completes, or goes
 * on as new, those it has started go on whatever was chosen.
 */
public enum ParentEnd {

    /** It goes on. */
    ABANDON(""),

    /** It is asked to cancel, in the commit that ends its parent. Nobody waits for it. */
    REQUEST_CANCEL("cancel"),

    /**
     * It is asked to cancel, and its parent waits until it has ended, in its turn when the parent takes back what it has done. If the
     * parent is ended without its code, by an operator for example, this is {@link #REQUEST_CANCEL}.
     */
    AWAIT_CANCEL("await-cancel");

    private final String text;

    ParentEnd(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
