package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.testkit.simulate.Invariants;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the end of every simulated run is checked for is found where it is wrong. */
class InvariantsTest {

    private static final WorkflowKey KEY = new WorkflowKey("test", "w");
    private static final Message.Start START = new Message.Start(KEY,
            new Message.Beginning("shop", "checkout", "1", "trigger", 0, Payload.EMPTY, null));
    private static final Write SECOND = new Write.PutGuid(
            new GuidRecord(Guid.derive("test", "second"), ActivityKey.trigger("trigger"), GuidLedger.seed(1)));

    @Test
    void nothingIsWrongWithAWorkflowThatHasStarted() {
        assertThat(violations(started())).isEmpty();
    }

    @Test
    void logWithoutEventsIsFound() {
        assertThat(violations(started(Flaw.FORGETS_EVENTS))).singleElement().asString()
                .contains("the log of test/w at version 1 is Missing[events=0]");
    }

    @Test
    void logThatDoesNotHoldTogetherIsFound() {
        SimStore store = started(Flaw.BREAKS_CHAIN);
        commit(store, Hash.of("another past"), new Write.Enqueue(0, START));

        assertThat(violations(store)).singleElement().asString().contains("Severed[events=1]");
    }

    @Test
    void twoFirstMessagesOfOneActivityAreFound() {
        SimStore store = started();
        commit(store, store.all().getFirst().chain(), SECOND);

        assertThat(violations(store)).singleElement().asString()
                .contains("two messages are the first of trigger@,0");
    }

    private static SimStore started(Flaw... flaws) {
        EnumSet<Flaw> all = EnumSet.noneOf(Flaw.class);
        all.addAll(List.of(flaws));
        SimStore store = new SimStore(new SimClock(), StoreCapabilities.FULL, all);
        store.createShards("test", "shop", 1);
        store.start(START, Collation.inception(START, SimClock.EPOCH));
        return store;
    }

    private static void commit(SimStore store, Hash previous, Write write) {
        Claim claim = store.claim(new ShardId("test", "shop", 0), "me", Duration.ofMinutes(1), 1);
        Occasion occasion = new Occasion("test", START.guid(), SimClock.EPOCH);
        Bundle bundle = new Bundle(KEY, 1, List.of(Part.of(Step.WORK, write)),
                Seal.of(occasion, previous, 2, List.of(write), Map.of(), false));
        assertThat(store.commit(((Claim.Claimed) claim).fence(), List.of(bundle))).isInstanceOf(Commit.Committed.class);
    }

    private static List<String> violations(SimStore store) {
        return Invariants.violations(store, store.all());
    }
}
