package dev.pawl.kernel.workflow;

import java.util.Locale;

/** What is known of an effect on the outside world. */
public enum EffectStatus {
    /** It has happened. */
    COMPLETED,
    /** It has not happened, and that is proved: by a verifier, or by a function that failed before it could do anything. */
    FAILED,
    /** The flow was cancelled before it had happened, and that is proved as for {@link #FAILED}. */
    CANCELLED,
    /** Nobody answered in time, and nobody has proved that it happened. */
    TIMED_OUT,
    /** It may have happened or not: it is under way, or nobody could tell. */
    INDETERMINATE;

    /** As it is written: {@code timed-out}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static EffectStatus of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
