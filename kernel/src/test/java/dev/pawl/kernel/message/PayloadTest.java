package dev.pawl.kernel.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PayloadTest {

    @Test
    void whatIsHandedInIsCopied() {
        byte[] bytes = {1, 2, 3};
        Payload payload = Payload.of(bytes);
        bytes[0] = 9;

        assertThat(payload.bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void whatIsHandedOutIsCopied() {
        Payload payload = Payload.of(new byte[] {1, 2, 3});
        payload.bytes()[0] = 9;

        assertThat(payload.bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void equalBytesAreEqualPayloads() {
        Payload payload = Payload.of(new byte[] {1, 2});

        assertThat(payload).isEqualTo(Payload.of(new byte[] {1, 2})).hasSameHashCodeAs(Payload.of(new byte[] {1, 2}));
        assertThat(Payload.of(new byte[0])).isEqualTo(Payload.EMPTY);
    }

    @Test
    void otherBytesAndOtherThingsAreNotEqual() {
        Payload payload = Payload.of(new byte[] {1, 2});

        assertThat(payload).isNotEqualTo(Payload.of(new byte[] {1, 3}));
        assertThat(payload).isNotEqualTo(Payload.of(new byte[] {1, 2, 0}));
        assertThat(payload).isNotEqualTo("2 bytes");
        assertThat(payload).isNotEqualTo(null);
    }

    @Test
    void theSizeIsCountedInBytes() {
        assertThat(Payload.EMPTY.size()).isZero();
        assertThat(Payload.of(new byte[1_000]).size()).isEqualTo(1_000);
    }

    @Test
    void theTextShowsTheSizeAndNothingElse() {
        assertThat(Payload.of(new byte[] {'s', 'e', 'c', 'r', 'e', 't'})).hasToString("6 bytes");
    }

    @Test
    void partsOfAnArrayAreCutOutAndPutTogether() {
        byte[] bytes = {1, 2, 3, 4};
        Payload middle = Payload.of(bytes, 1, 3);
        bytes[1] = 9;
        ByteBuffer buffer = ByteBuffer.allocate(4);

        middle.appendTo(buffer);
        middle.appendTo(buffer);

        assertThat(middle).isEqualTo(Payload.of(new byte[] {2, 3}));
        assertThat(buffer.array()).containsExactly(2, 3, 2, 3);
    }
}
