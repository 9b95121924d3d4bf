package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;
import org.jspecify.annotations.Nullable;

/** A value that cannot become a payload, or a payload that is not the value it should be. */
public final class PayloadError extends PawlException {

    private static final long serialVersionUID = 1L;

    private PayloadError(String code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }

    public static PayloadError unreadable(String message, @Nullable Throwable cause) {
        return new PayloadError("PayloadUnreadable", message, cause);
    }

    public static PayloadError tooLarge(long bytes, long bytesMax) {
        return new PayloadError("PayloadTooLarge", "a payload of " + bytes + " bytes is too large, the limit is "
                + bytesMax + "; keep large data elsewhere and pass a reference to it, or raise the limit", null);
    }
}
