package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import org.junit.jupiter.api.Test;

/** The same message is never in hand twice. */
class ReadyMessagesTest {

    private final ReadyMessages ready = new ReadyMessages();

    private static Message enter(String workflow) {
        return new Message.Enter(new WorkflowKey("test", workflow), Guid.derive("test", workflow),
                ActivityKey.trigger("begin"));
    }

    @Test
    void messageOfAQueueOrAnInboxIsThereOnce() {
        ready.add(Delivery.queued(1, enter("a")));
        ready.add(Delivery.inbox(1, enter("a")));
        ready.add(Delivery.queued(2, enter("a")));
        ready.add(Delivery.queued(1, enter("b")));

        assertThatThrownBy(() -> ready.add(Delivery.queued(1, enter("a")))).isInstanceOf(LedgerViolation.class)
                .hasMessageContaining("is twice in the hands of its shard's owner");
        assertThatThrownBy(() -> ready.addFirst(Delivery.inbox(1, enter("c")))).isInstanceOf(LedgerViolation.class);
        assertThat(ready.size()).isEqualTo(4);
    }

    @Test
    void messageThatWasTakenMayComeBack() {
        Delivery delivery = Delivery.queued(1, enter("a"));
        ready.add(delivery);
        ready.addFirst(Delivery.ofRow(enter("a")));
        ready.addFirst(Delivery.ofRow(enter("a")));
        ready.removeIf(each -> each.place() instanceof Delivery.Place.Row);

        assertThat(ready.remove()).isEqualTo(delivery);
        ready.addFirst(delivery);
        assertThat(ready.size()).isOne();
    }
}
