package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Values of the user's as JSON, and back. The same value always gives the same bytes: a flow that runs again is recognised by them.
 * Safe for use by many threads.
 */
public interface Codec {

    /** Throws {@link PayloadError} if the value cannot be written, or is too large. */
    Payload encode(@Nullable Object value);

    /** Throws {@link PayloadError} if the bytes are not a value of the type. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // The type is that of the argument.
    <T> @Nullable T decode(Payload payload, Type type);
}
