package dev.pawl;

import dev.pawl.engine.world.Chance;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts payloads with AES-GCM. The id of the key stands before each payload, so that keys can be changed while workflows run: new
 * payloads are written with the newest key, old ones are read with the key they were written with. Immutable.
 *
 * <p>Encrypted are inputs, results, signals, updates and memos. Not encrypted are names and ids, idempotency keys, attributes, messages
 * of exceptions and reasons: people and queries read those. A key should not encrypt more than 2^32 payloads.
 *
 * <pre>{@code
 * Codec codec = JsonCodec.builder().transform(AesGcm.with("2026-11", key).reading("2026-10", oldKey)).build();
 * Pawl pawl = Pawl.builder().file(file).codec(codec).definitions(flow).open();
 * }</pre>
 */
public final class AesGcm implements PayloadTransform {

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final byte VERSION = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_ID_BYTES_MAX = 100;

    private final String keyId;
    private final Map<String, SecretKey> keys;

    private AesGcm(String keyId, Map<String, SecretKey> keys) {
        this.keyId = keyId;
        this.keys = keys;
    }

    /** Writes with this key, and reads what it has written. The id is stored in plain text. */
    public static AesGcm with(String keyId, SecretKey key) {
        int bytes = keyId.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > KEY_ID_BYTES_MAX) {
            throw WorkflowError.validation("the id of a key has 1 to " + KEY_ID_BYTES_MAX + " bytes, not " + bytes);
        }
        return new AesGcm(keyId, Map.of(keyId, key));
    }

    /** Reads what an older key has written, too. */
    public AesGcm reading(String olderId, SecretKey older) {
        Map<String, SecretKey> all = new LinkedHashMap<>(keys);
        all.put(olderId, older);
        return new AesGcm(keyId, all);
    }

    @Override
    public byte[] seal(byte[] json) {
        byte[] id = keyId.getBytes(StandardCharsets.UTF_8);
        byte[] head = ByteBuffer.allocate(2 + id.length).put(VERSION).put((byte) id.length).put(id).array();
        byte[] nonce = Chance.secret(NONCE_BYTES);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, keyId, nonce, head, json);
        return ByteBuffer.allocate(head.length + nonce.length + sealed.length).put(head).put(nonce).put(sealed)
                .array();
    }

    @Override
    public byte[] open(byte[] stored) {
        int idEnd = stored.length < 2 || stored[0] != VERSION ? Integer.MAX_VALUE : 2 + stored[1];
        if (stored.length < (long) idEnd + NONCE_BYTES) {
            throw new IllegalArgumentException("it was not encrypted by this codec");
        }
        String id = new String(stored, 2, stored[1], StandardCharsets.UTF_8);
        int begin = idEnd + NONCE_BYTES;
        return run(Cipher.DECRYPT_MODE, id, Arrays.copyOfRange(stored, idEnd, begin),
                Arrays.copyOf(stored, idEnd), Arrays.copyOfRange(stored, begin, stored.length));
    }

    private byte[] run(int mode, String id, byte[] nonce, byte[] head, byte[] bytes) {
        SecretKey key = keys.get(id);
        if (key == null) {
            throw new IllegalArgumentException("the key " + id + " is not known here; add it with reading(…)");
        }
        try {
            Cipher cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(head);
            return cipher.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key " + id + " does not open it, or it was changed", e);
        }
    }
}
