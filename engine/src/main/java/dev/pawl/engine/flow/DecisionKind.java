package dev.pawl.engine.flow;

import java.util.Locale;

/** What a person can decide. Not everything is allowed everywhere. */
public enum DecisionKind {
    /** It has happened, and came to this; or what is recorded holds. */
    ACCEPT,
    /** It has not happened: it is tried again. */
    NOT_DONE,
    /** Whatever has happened is taken back, and the operation fails. */
    COMPENSATE,
    /** The workflow fails. */
    ABORT,
    /** Look once more, or try once more. */
    RETRY;

    /** As it is written: {@code not-done}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static DecisionKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
