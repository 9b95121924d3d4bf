package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user's codec as the engine uses it. Whatever it writes cannot be taken for a mark of the engine's own, and a value that a replay
 * would see differently is refused at its first use. Safe for use by many threads, as its codec is.
 */
public final class UserCodec implements Codec {

    /** Before a payload that begins like a mark of the engine's: a failure, a delayed start, names of attributes, nothing at all. */
    private static final byte ESCAPE = 0;
    private static final Set<Byte> MARKS = Set.of(ESCAPE, Results.MARK, Beginnings.MARK, Beginnings.NAMES);

    /** Types that are read as they were written, by any codec worth the name: the check of each value would find nothing. */
    private static final Set<Type> PLAIN = Set.of(String.class, Integer.class, Long.class, Boolean.class);

    private final Codec codec;

    private UserCodec(Codec codec) {
        this.codec = codec;
    }

    public static UserCodec of(Codec codec) {
        return codec instanceof UserCodec framed ? framed : new UserCodec(codec);
    }

    @Override
    public Payload encode(@Nullable Object value) {
        try {
            return framed(codec.encode(value));
        } catch (PayloadError e) {
            throw e;
        } catch (RuntimeException e) {
            throw PayloadError.unwritable("the codec cannot write a "
                    + (value == null ? "null" : value.getClass().getName()) + ": " + e.getClass().getName(), e);
        }
    }

    /** The same for a value that will be read as this type: refused if it would not be the same value then. */
    public Payload encode(@Nullable Object value, Type type) {
        return write(value, type).payload();
    }

    /** A value as it is stored, and as it will be read from there, if it was read in order to check it. */
    record Written(Payload payload, @Nullable Object read) {
    }

    Written write(@Nullable Object value, Type type) {
        Payload payload = encode(value);
        if (value == null || (PLAIN.contains(type) && type.equals(value.getClass()))) {
            return new Written(payload, null);
        }
        return new Written(payload, checked(value, payload, type));
    }

    private @Nullable Object checked(Object value, Payload payload, Type type) {
        Object read;
        try {
            read = decode(payload, type);
        } catch (PayloadError e) {
            throw PayloadError.changed(value.getClass(), type, "it can be written, but not read: " + e.getMessage());
        }
        if (!Objects.equals(value, read) && !same(encode(read), payload)) {
            throw PayloadError.changed(value.getClass(), type,
                    "written, read and written again it is not the same any more");
        }
        return read;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T decode(Payload payload, Type type) {
        if (payload.size() == 0) {
            return null;
        }
        try {
            return codec.decode(bare(payload), type);
        } catch (PayloadError e) {
            throw e;
        } catch (RuntimeException e) {
            // Without its cause: what a codec says of its own accord may quote the payload.
            throw PayloadError.unreadable("the codec cannot read a payload of " + payload.size() + " bytes as "
                    + type.getTypeName() + ": " + e.getClass().getName(), null);
        }
    }

    @Override
    public boolean same(Payload one, Payload other) {
        return one.equals(other) || codec.same(bare(one), bare(other));
    }

    private static Payload framed(Payload payload) {
        byte[] bytes = payload.bytes();
        if (bytes.length > 0 && !MARKS.contains(bytes[0])) {
            return payload;
        }
        byte[] escaped = new byte[bytes.length + 1];
        escaped[0] = ESCAPE;
        System.arraycopy(bytes, 0, escaped, 1, bytes.length);
        return Payload.of(escaped);
    }

    private static Payload bare(Payload payload) {
        byte[] bytes = payload.bytes();
        return bytes.length > 0 && bytes[0] == ESCAPE ? Payload.of(Arrays.copyOfRange(bytes, 1, bytes.length))
                : payload;
    }
}
