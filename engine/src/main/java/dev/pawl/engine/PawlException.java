package dev.pawl.engine;

import org.jspecify.annotations.Nullable;

/** The one base of what Pawl throws: a sentence that says what to do, and a code that never changes. */
public abstract class PawlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;

    protected PawlException(String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Stable, for programs: {@code StoreBusy}, {@code CommitUnknown}. */
    public String code() {
        return code;
    }
}
