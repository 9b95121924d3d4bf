package dev.pawl.engine.world;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Where chance comes from. Everybody else is handed a generator and cannot make one. */
public final class Chance {

    private static final SecureRandom SECRETS = new SecureRandom();

    private Chance() {
    }

    /** The same numbers for the same seed, on every machine and in every version. */
    public static RandomGenerator ofSeed(long seed) {
        return new SplittableRandom(seed);
    }

    /** Unpredictable bytes, for cryptography. */
    public static byte[] secret(int count) {
        byte[] bytes = new byte[count];
        SECRETS.nextBytes(bytes);
        return bytes;
    }
}
