package dev.pawl.engine.store;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a commit. Only {@link Committed} wrote anything. */
public sealed interface Commit permits Commit.Committed, Commit.Rejected, StaleOwner {

    /** All bundles are durable; one outcome for each, in their order. */
    record Committed(List<Applied> outcomes) implements Commit {

        public Committed {
            outcomes = List.copyOf(outcomes);
        }
    }

    /**
     * What one bundle came to.
     *
     * @param version the workflow's version after it; 0 if the workflow does not exist
     * @param closedBy the message whose move in this bundle closed the workflow, as the store computed it
     * @param joinsOpened the joins whose last arrival was in this bundle, as the store computed it
     */
    record Applied(WorkflowKey workflow, long version, @Nullable Guid closedBy, List<ActivityKey> joinsOpened) {

        public Applied {
            joinsOpened = List.copyOf(joinsOpened);
        }
    }

    /** One bundle does not fit what is stored, so nothing of the batch was written. */
    record Rejected(int bundle, Rejection why) implements Commit {
    }
}
