package dev.pawl.kernel.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResponseTest {

    private static final Payload PAYLOAD = Payload.of(new byte[] {1});

    @Test
    void aFinalResponseIsTheLast() {
        assertThat(new Response.Final(PAYLOAD).last()).isTrue();
    }

    @Test
    void aFailureIsTheLast() {
        assertThat(new Response.Failure(PAYLOAD).last()).isTrue();
    }

    @Test
    void aPendingResponseKeepsTheActivityOpen() {
        assertThat(new Response.Pending(PAYLOAD).last()).isFalse();
    }
}
