package dev.pawl.kernel.collation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Who hears a signal to all. */
class AudienceTest {

    @Test
    void transitionWithoutAnAudienceSignalsNoMoreThanOneWorkflow() {
        assertThatThrownBy(() -> Audience.NONE.targets("news", null)).isInstanceOf(DefinitionFault.class)
                .hasMessageContaining("news");
    }
}
