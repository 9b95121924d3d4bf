package dev.pawl.engine.shard;

import dev.pawl.engine.Incidents;
import dev.pawl.engine.Incidents.Kind;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Workflows in this shard whose definition this engine does not have. They are parked, so that readers see it wherever they ask; what
 * comes for them waits uncharged, however long that takes, and runs when an engine owns the shard that has the definition. Owned by one
 * shard loop.
 */
final class MissingDefinitions {

    private final Definitions definitions;
    private final WorkflowCache cache;
    private final Incidents incidents;
    /** Flows whose code has to run: nothing comes for them that could wait. */
    private final Deque<WorkflowKey> awake = new ArrayDeque<>();

    MissingDefinitions(Definitions definitions, WorkflowCache cache, Incidents incidents) {
        this.definitions = definitions;
        this.cache = cache;
        this.incidents = incidents;
    }

    /** Whether this engine cannot run a message for lack of the definition. A workflow can be ended without it. */
    boolean concerns(WorkflowView view, Message message) {
        WorkflowRecord workflow = view.workflow();
        Message.Beginning beginning = workflow != null ? workflow.beginning()
                : message instanceof Message.Start start ? start.beginning() : null;
        return beginning != null && !(message instanceof Message.Interrupt) && !known(beginning);
    }

    boolean known(Message.Beginning beginning) {
        return definitions.has(beginning.definition(), beginning.definitionVersion());
    }

    /** What is durable is read anew. */
    void reset() {
        awake.clear();
    }

    /** The code of a flow has to run and is not here. */
    void awake(WorkflowRecord workflow) {
        awake.add(workflow.key());
    }

    /** Parks the flows whose code is not here; returns whether there was any. */
    boolean turn(Committer committer, Instant now) {
        boolean any = !awake.isEmpty();
        while (!awake.isEmpty()) {
            // What has changed in the meantime is looked at once more, in the next turn.
            if (park(cache.view(awake.getFirst()), committer, now) == Verdict.Single.AGAIN) {
                break;
            }
            awake.removeFirst();
        }
        return any;
    }

    /** Parks the workflow of a message, which is created first if the message would start it. */
    Verdict.Single park(WorkflowView view, Message message, Committer committer, Instant now) {
        if (view.workflow() == null && message instanceof Message.Start start) {
            Verdict.Single created = committer.commitSingle(Batch.Item.of(Collation.inception(start, now)));
            if (created != Verdict.Single.THROUGH) {
                return created;
            }
        }
        return park(cache.view(message.workflow()), committer, now);
    }

    private Verdict.Single park(WorkflowView view, Committer committer, Instant now) {
        WorkflowRecord workflow = view.workflow();
        if (workflow == null || workflow.gate().closed()) {
            return Verdict.Single.THROUGH;
        }
        String name = workflow.beginning().definition();
        String version = workflow.beginning().definitionVersion();
        incidents.begins(Kind.DEFINITION_MISSING, name + " " + version, Level.WARNING, "definition " + name
                + " version "
                + version + " is not registered here, and workflow " + workflow.key() + " of it is parked, as are all"
                + " others of it in this engine's shards. Start a program of this group that has the definition: they go"
                + " on by themselves when it drives their shards");
        if (Collation.lacksDefinition(workflow)) {
            return Verdict.Single.THROUGH;
        }
        return committer.commitSingle(Batch.Item.of(Collation.park(view, workflow, now)));
    }
}
