package dev.pawl.kernel.message;

import dev.pawl.kernel.id.Hash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes of the user's, carried but never read. Not part of any {@code toString}: payloads do not belong in logs. */
public final class Payload {

    public static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;
    /** Kept once it was asked for: the same payload is often told more than once. */
    private @Nullable Hash digest;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Payload of(byte[] bytes) {
        return new Payload(bytes.clone());
    }

    /** The bytes of a part of an array. */
    public static Payload of(byte[] bytes, int from, int to) {
        return new Payload(Arrays.copyOfRange(bytes, from, to));
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** Appends the bytes to a buffer that has room for them. */
    public void appendTo(ByteBuffer buffer) {
        buffer.put(bytes);
    }

    public Hash digest() {
        Hash known = digest;
        if (known == null) {
            known = Hash.of(bytes);
            digest = known;
        }
        return known;
    }

    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return size() + " bytes";
    }
}
