package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes the user's values as bytes, and reads them back: inputs, results, signals, updates, memos. What the engine records for itself
 * never passes through it. Safe for use by many threads.
 */
public interface Codec {

    /** Throws {@link PayloadError} if the value cannot be written, or is too large. */
    Payload encode(@Nullable Object value);

    /** Throws {@link PayloadError} if the bytes are not a value of the type. Its message must not quote the payload: it is logged. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // The type is that of the argument.
    <T> @Nullable T decode(Payload payload, Type type);

    /**
     * Whether two payloads hold the same value: a replayed flow is recognised by that. By default they do if they are the same bytes,
     * or the same JSON however it is spelled. A codec that writes one value in several ways, as encryption does, must override it.
     */
    default boolean same(Payload one, Payload other) {
        return one.equals(other) || Header.sameJson(one, other);
    }
}
