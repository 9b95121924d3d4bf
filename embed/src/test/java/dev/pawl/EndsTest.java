package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What callers hear of ends in their own process, and when they have to read instead. */
class EndsTest {

    private static final ShardId EVEN = new ShardId("n", "g", 0);
    private static final ShardId ODD = new ShardId("n", "g", 1);

    private final Ends ends = new Ends(key -> Integer.parseInt(key.workflowId()) % 2 == 0 ? EVEN : ODD);

    private static WorkflowKey key(int number) {
        return new WorkflowKey("n", String.valueOf(number));
    }

    private static Write.CloseWorkflow end(int bytes) {
        return new Write.CloseWorkflow(WorkflowStatus.COMPLETED, Payload.of(new byte[bytes]), null, Instant.EPOCH);
    }

    @Test
    void endIsHandedToEveryCallerThatWaits() throws InterruptedException {
        Write.CloseWorkflow end = end(1);
        try (Ends.Wait one = ends.await(key(1), ends.latest()); Ends.Wait other = ends.await(key(1), Ends.UNKNOWN)) {
            assertThat(one.heard()).isTrue();
            assertThat(other.heard()).as("it may have ended before").isFalse();
            ends.ended(key(1), end);
            assertThat(ends.notified()).hasSize(2).allSatisfy(Runnable::run);
            one.await(1);
            assertThat(one.end()).isSameAs(end);
            assertThat(other.end()).isSameAs(end);
        }
        assertThat(ends.size()).as("the end is kept, the callers are not").isEqualTo(1);
    }

    @Test
    void endThatCameAfterTheStartIsFoundAndOneBeforeItIsNot() {
        long before = ends.latest();
        ends.ended(key(1), end(1));
        try (Ends.Wait found = ends.await(key(1), before);
                Ends.Wait restarted = ends.await(key(1), ends.latest());
                Ends.Wait stranger = ends.await(key(1), Ends.UNKNOWN)) {
            assertThat(found.end()).isNotNull();
            assertThat(restarted.end()).as("of another workflow with this id").isNull();
            assertThat(restarted.heard()).isTrue();
            assertThat(stranger.end()).isNull();
            assertThat(stranger.heard()).isFalse();
        }
    }

    @Test
    void callerWhoseEndMayHaveBeenDroppedHasToRead() {
        long since = ends.latest();
        for (int i = 0; i < 10_001; i++) {
            ends.ended(key(i), end(1));
        }
        assertThat(ends.size()).isEqualTo(10_000);
        assertThat(ends.notified()).as("nobody waits").isEmpty();
        try (Ends.Wait dropped = ends.await(key(0), since); Ends.Wait kept = ends.await(key(1), since)) {
            assertThat(dropped.end()).isNull();
            assertThat(dropped.heard()).isFalse();
            assertThat(kept.end()).isNotNull();
        }
    }

    @Test
    void keptOutputsAreBounded() {
        for (int i = 0; i < 20; i++) {
            ends.ended(key(i), end(1024 * 1024));
            ends.ended(key(i), end(1024 * 1024));
        }
        assertThat(ends.size()).isEqualTo(8);
        ends.ended(key(100), end(9 * 1024 * 1024));
        assertThat(ends.size()).as("not even the last one").isZero();
    }

    @Test
    void lossOfAShardSendsItsCallersToTheStore() {
        long since = ends.latest();
        try (Ends.Wait odd = ends.await(key(1), since); Ends.Wait even = ends.await(key(2), since)) {
            ends.lost(ODD);
            assertThat(ends.notified()).hasSize(1);
            assertThat(odd.look()).isTrue();
            assertThat(even.look()).isFalse();
            odd.looking();
            assertThat(odd.look()).isFalse();
            ends.parked(key(2));
            assertThat(even.look()).isTrue();
        }
        try (Ends.Wait late = ends.await(key(3), since); Ends.Wait fresh = ends.await(key(3), ends.latest())) {
            assertThat(late.heard()).as("its end may have been missed").isFalse();
            assertThat(fresh.heard()).isTrue();
        }
        assertThat(ends.size()).isZero();
    }
}
