package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.shard.ShardLoop.State;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.ShardId;
import org.junit.jupiter.api.Test;

/** Leases are renewed on another thread: what it finds out is about the fence it asked for. */
class StandingTest {

    private static final ShardId SHARD = new ShardId("test", "shop", 0);
    private static final Fence FIRST = new Fence(SHARD, 1);
    private static final Fence RAISED = new Fence(SHARD, 2);

    private final Standing standing = new Standing(FIRST);

    @Test
    void staleFenceLosesTheShard() {
        standing.stale(FIRST);

        assertThat(standing.state()).isEqualTo(State.LOST);
    }

    @Test
    void renewalUnderAFenceThatWasRaisedMeanwhileProvesNothing() {
        standing.unsure();
        standing.stale(FIRST);
        assertThat(standing.state()).isEqualTo(State.UNSURE);
        standing.owned(RAISED);
        standing.stale(FIRST);

        assertThat(standing.state()).isEqualTo(State.OWNED);
        assertThat(standing.fence()).isEqualTo(RAISED);
    }

    @Test
    void whatIsLostStaysLost() {
        standing.stale(FIRST);
        standing.unsure();
        standing.owned(RAISED);
        standing.givenBack();
        standing.broken("something");

        assertThat(standing.state()).isEqualTo(State.LOST);
    }
}
