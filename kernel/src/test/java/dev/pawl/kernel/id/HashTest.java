package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashTest {

    /** From the standard, FIPS 180-2, appendix B. */
    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void textIsHashedAsUtf8AndDrawnAsSha256sumDrawsIt() {
        assertThat(Hash.of("abc")).hasToString(OF_ABC);
        assertThat(Hash.of("\u00e9")).isEqualTo(Hash.of(new byte[] {(byte) 0xc3, (byte) 0xa9}));
    }

    @Test
    void digestIsReadBackFromItsBytes() {
        Hash hash = Hash.of("abc");

        assertThat(Hash.ofDigest(hash.bytes())).isEqualTo(hash);
        assertThat(hash.bytes()).hasSize(32).startsWith(0xba, 0x78);
        assertThat(Hash.NONE.bytes()).containsOnly(0);
        assertThat(Base64.getUrlDecoder().decode(hash.base64())).isEqualTo(hash.bytes());
        assertThat(hash.base64()).hasSize(43);
    }

    @Test
    void equalHashesAreEqualWhereverTheyComeFrom() {
        Hash hash = Hash.of("abc");

        assertThat(hash).isEqualTo(new Hash(OF_ABC)).isEqualTo(Hash.ofBase64(hash.base64()))
                .hasSameHashCodeAs(new Hash(OF_ABC)).isNotEqualTo(Hash.NONE).isNotEqualTo(OF_ABC);
    }

    @Test
    void bytesAreItsOwn() {
        Hash hash = Hash.of("abc");
        byte[] bytes = hash.bytes();
        Hash read = Hash.ofDigest(bytes);
        bytes[0]++;

        assertThat(hash).hasToString(OF_ABC);
        assertThat(read).isEqualTo(hash);
    }

    @Test
    void anythingButThirtyTwoBytesIsRefused() {
        assertThatThrownBy(() -> Hash.ofDigest(new byte[31])).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("31");
    }

    /** With capitals there would be two spellings of one hash, and so two texts of one event. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", "ba7816bf", OF_ABC + "0", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
                "/a7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                ":a7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"})
    void anythingButSixtyFourLowerCaseDigitsIsRefused(String text) {
        assertThatThrownBy(() -> new Hash(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
