package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkflowKeyTest {

    @Test
    void theNamespaceLeads() {
        assertThat(new WorkflowKey("shop", "order-1")).hasToString("shop/order-1");
    }

    @Test
    void equalKeysHaveTheSameNamespaceAndTheSameId() {
        WorkflowKey key = new WorkflowKey("shop", "order-1");

        assertThat(key).isEqualTo(new WorkflowKey("shop", "order-1"))
                .hasSameHashCodeAs(new WorkflowKey("shop", "order-1"))
                .isNotEqualTo(new WorkflowKey("shop", "order-2")).isNotEqualTo(new WorkflowKey("mall", "order-1"))
                .isNotEqualTo("shop/order-1");
    }

    @Test
    void anInvalidNamespaceIsRefusedByName() {
        assertThatThrownBy(() -> new WorkflowKey("a/b", "order-1")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("namespace ");
    }

    @Test
    void anInvalidWorkflowIdIsRefusedByName() {
        assertThatThrownBy(() -> new WorkflowKey("shop", "")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("workflowId ");
    }

    @Test
    void keysAreOrderedByNamespaceThenId() {
        WorkflowKey first = new WorkflowKey("a", "9");
        WorkflowKey second = new WorkflowKey("b", "1");
        WorkflowKey third = new WorkflowKey("b", "2");

        assertThat(Stream.of(third, second, first).sorted()).containsExactly(first, second, third);
        assertThat(second).isEqualByComparingTo(new WorkflowKey("b", "1"));
    }
}
