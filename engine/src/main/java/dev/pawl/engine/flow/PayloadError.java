package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A value that cannot become a payload, or a payload that is not a value of the type the code asks for. Its message names types, places
 * and shapes, never the value: payloads do not belong in logs.
 */
public final class PayloadError extends PawlException {

    /** The code of a payload that cannot be read as the type the code asks for. */
    public static final String UNREADABLE = "PayloadUnreadable";

    /** The code of a value that cannot be written. */
    public static final String UNWRITABLE = "PayloadUnwritable";

    /** The code of a value that is another one when it has been written and read. */
    public static final String CHANGED = "PayloadChanged";

    /** The code of a payload that is larger than the limit. */
    public static final String TOO_LARGE = "PayloadTooLarge";

    private static final long serialVersionUID = 1L;

    private final @Nullable String type;
    private final @Nullable String path;
    private final @Nullable String stored;

    private PayloadError(String code, String message, @Nullable String type, @Nullable String path,
            @Nullable String stored, @Nullable Throwable cause) {
        super(code, message, cause);
        this.type = type;
        this.path = path;
        this.stored = stored;
    }

    /**
     * A payload that is not a value of the type.
     *
     * @param path where in the payload, as JSON paths are written: {@code $.items[0].amount}
     * @param wanted what the code asks for at that place
     * @param stored what is stored at that place: its shape, not its value
     */
    public static PayloadError unreadable(Type type, String path, String wanted, String stored) {
        return new PayloadError(UNREADABLE, "the payload cannot be read as " + type.getTypeName() + ": at " + path
                + " the code asks for " + wanted + ", but " + stored + " is stored", type.getTypeName(), path, stored,
                null);
    }

    /** The same from a codec that cannot say where. The cause must not quote the payload. */
    public static PayloadError unreadable(String message, @Nullable Throwable cause) {
        return new PayloadError(UNREADABLE, message, null, null, null, cause);
    }

    public static PayloadError unwritable(String message, @Nullable Throwable cause) {
        return new PayloadError(UNWRITABLE, message, null, null, null, cause);
    }

    /** A value that a replay would see differently. */
    static PayloadError changed(Class<?> value, Type type, String why) {
        return new PayloadError(CHANGED,
                "a " + value.getName() + " cannot be used as " + type.getTypeName() + ": " + why
                        + "; use a type that reads what it has written, or annotate this one for the codec",
                type.getTypeName(),
                null, null, null);
    }

    public static PayloadError tooLarge(long bytes, long bytesMax) {
        return new PayloadError(TOO_LARGE, "a payload of " + bytes + " bytes is too large, the limit is " + bytesMax
                + "; keep large data elsewhere and pass a reference to it, or raise the limit", null, null, null, null);
    }

    /** The type the code asks for; null if the codec does not say. */
    public @Nullable String type() {
        return type;
    }

    /** Where in the payload the types part; null if the codec does not say. */
    public @Nullable String path() {
        return path;
    }

    /** The shape of what is stored there; null if the codec does not say. */
    public @Nullable String stored() {
        return stored;
    }
}
