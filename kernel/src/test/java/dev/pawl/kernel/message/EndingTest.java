package dev.pawl.kernel.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.lifecycle.WorkflowEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndingTest {

    /** Section 20.7: 410 unless the definition says otherwise. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptIsGoneAndDescendsIfAsked(boolean descend) {
        assertThat(Ending.interrupted("too late", descend))
                .isEqualTo(new Ending(WorkflowEvent.INTERRUPT, "too late", 410, descend, Payload.EMPTY));
    }

    @Test
    void aFailureCarriesItsErrorAndDoesNotDescend() {
        Payload error = Payload.of(new byte[] {1});

        assertThat(Ending.failed("card declined", error))
                .isEqualTo(new Ending(WorkflowEvent.FAIL, "card declined", 410, false, error));
    }
}
