package dev.pawl.engine.store;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the outside may see. Every answer is committed state; a page is one consistent read. */
public interface Visibility {

    /** The row of one workflow, or null if it was never started or is deleted. What it costs does not grow with its operations. */
    @Nullable WorkflowRecord workflow(WorkflowKey workflow);

    /**
     * One activity, or null if no event after the given number tells of it. For what is told once and waited for: only events after that number
     * are searched as long as there is none.
     */
    @Nullable ActivityRecord activity(WorkflowKey workflow, ActivityKey activity, long after);

    /** Workflows, newest first, then by id. */
    Page<WorkflowRecord> workflows(WorkflowQuery query, @Nullable String cursor, int limit);

    /** Open workflows in which a hook waits on a topic, by id, each once. */
    Page<Recipient> hooked(String namespace, String topic, @Nullable String cursor, int limit);

    /**
     * The event log of a workflow, in order, from the event after the given number on; empty if there is no such workflow.
     * There is one event for each version.
     */
    List<Event> events(WorkflowKey workflow, long after, int limit);

    /** The same with the payloads that each event names by their digests. Input and output of the workflow may be missing: its row has them. */
    List<JournalEntry> journal(WorkflowKey workflow, long after, int limit);

    /** What the activities of a workflow wait for, where that can be found from outside, by address and name. */
    List<Waiting> waiting(WorkflowKey workflow);

    /** What is known of the effects of a workflow on the outside world, by operation; empty if there is no such workflow. */
    List<EffectRecord> effects(WorkflowKey workflow);

    /** What a workflow is found by and shown with, attributes before memos, by name; empty if there is no such workflow. */
    List<Attribute> attributes(WorkflowKey workflow);

    /** Whether a signal was accepted, and that is not forgotten yet. */
    boolean accepted(WorkflowKey workflow, String signalName, String signalId);

    /** Messages that were given up, in the order they were. */
    Page<GivenUp> givenUp(String namespace, @Nullable String cursor, int limit);
}
