package dev.pawl.kernel.message;

import dev.pawl.kernel.id.Hash;
import java.util.Arrays;

/** Bytes of the user's, carried but never read. Not part of any {@code toString}: payloads do not belong in logs. */
public final class Payload {

    public static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Payload of(byte[] bytes) {
        return new Payload(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public Hash digest() {
        return Hash.of(bytes);
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
