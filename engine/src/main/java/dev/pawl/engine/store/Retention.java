package dev.pawl.engine.store;

import java.time.Instant;
import java.util.Map;

/**
 * Deleting what is over. It needs no fence: nobody has anything left to write to a workflow that has ended, and an owner that
 * tries all the same is told that it is gone.
 *
 * <p>A workflow may go when it has ended with everything its end entails, was closed before the cut-off of its status, has no message left in
 * its queue or on its way to it in an inbox, and every signal it accepted is past its expiry: until then whoever sends one again
 * must get the first answer, and a workflow started anew under the same id must not inherit it. An acceptance goes with its
 * workflow, or as soon as it has expired and its workflow is closed or gone. What a newer engine has written stays, because only
 * that one knows what belongs to it; and so does whatever was given up, which waits for a person.
 *
 * <p>What arrives for a workflow that was deleted is refused as for one that never was. So the time to keep a closed workflow is
 * longer than the longest a worker or a client may still answer, or the answer may meet a workflow started anew.
 */
public interface Retention {

    /**
     * Deletes workflows that may go, the oldest first, at most so many, each with all its rows; and at most as many expired
     * acceptances of others. Whoever wants everything gone calls it until {@link Swept#isNothing}. One transaction.
     *
     * @param cutoffs workflows closed at the cut-off of their status or later stay
     * @param now what acceptances are judged by: the clock that made them
     */
    Swept sweep(String namespace, Cutoffs cutoffs, Instant now, int limit);

    /** What sweeping until nothing is left would delete. Nothing is deleted. One consistent read. */
    Swept sweepable(String namespace, Cutoffs cutoffs, Instant now);

    /**
     * Rows that belong to a workflow which is not there, by table; empty if there are none, as there should be. What was given up and
     * what lies in an inbox is not counted: neither needs its workflow to be there. It looks at every row, so it is for tests and for
     * people who have a doubt. One consistent read.
     */
    Map<String, Long> orphans(String namespace);
}
