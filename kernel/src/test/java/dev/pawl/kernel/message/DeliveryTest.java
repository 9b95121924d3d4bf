package dev.pawl.kernel.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryTest {

    private static final WorkflowKey ORDER = new WorkflowKey("shop", "order-1");
    private static final Message MESSAGE = new Message.Enter(ORDER, Guid.ofStart(ORDER), ActivityKey.trigger("order"));

    @Test
    void aQueuedMessageLiesInItsWorkflowWithItsFirstEntryCharged() {
        Delivery delivery = Delivery.queued(7, MESSAGE);

        assertThat(delivery.place()).isEqualTo(new Delivery.Place.Queue(7));
        assertThat(delivery.message()).isSameAs(MESSAGE);
        assertThat(delivery.marks()).isEqualTo(1);
    }

    @Test
    void anInboxMessageLiesInItsShardWithItsFirstEntryCharged() {
        Delivery delivery = Delivery.inbox(7, MESSAGE);

        assertThat(delivery.place()).isEqualTo(new Delivery.Place.Inbox(7));
        assertThat(delivery.message()).isSameAs(MESSAGE);
        assertThat(delivery.marks()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 99})
    void aMessageIsEnteredUpToNinetyNineTimes(int marks) {
        assertThat(marked(marks).marks()).isEqualTo(marks);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 100})
    void neverEnteredOrEnteredAHundredTimesIsRefused(int marks) {
        assertThatThrownBy(() -> marked(marks)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a message is entered 1 to 99 times, not " + marks);
    }

    private static Delivery marked(int marks) {
        return new Delivery(new Delivery.Place.Queue(1), MESSAGE, marks);
    }
}
