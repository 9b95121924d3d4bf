package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RecipientTest {

    private static final WorkflowKey ORDER = new WorkflowKey("shop", "order-1");

    @Test
    void aRecipientIsAWorkflowInAGroup() {
        assertThat(new Recipient("checkout", ORDER)).hasToString("shop/order-1 in checkout");
    }

    @Test
    void anInvalidGroupIsRefusedByName() {
        assertThatThrownBy(() -> new Recipient("a/b", ORDER)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("group ");
    }
}
