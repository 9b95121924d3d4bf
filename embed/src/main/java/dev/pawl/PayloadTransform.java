package dev.pawl;

/**
 * What {@link JsonCodec} does to the bytes of a payload before they are stored, and undoes before they are read: encryption, compression.
 * Safe for use by many threads. {@link AesGcm} is one of them.
 */
public interface PayloadTransform {

    /** The bytes to store. They need not be the same each time. */
    byte[] seal(byte[] json);

    /** The bytes that were sealed. Throws any exception if it cannot; the message must not quote them. */
    byte[] open(byte[] stored);
}
