package dev.pawl.engine.shard;

import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * For a workflow that does not exist: every message but a start is refused before its definition is asked anything. And for the end of one
 * whose definition is not here, which needs none.
 */
final class Refusing implements Behaviour {

    static final Behaviour BEHAVIOUR = new Refusing();

    private Refusing() {
    }

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        throw asked();
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        throw asked();
    }

    @Override
    public Payload result(WorkflowView view) {
        throw asked();
    }

    private static IllegalStateException asked() {
        return new IllegalStateException("a workflow that does not exist, or is to end, has no definition to ask");
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        throw asked();
    }

    @Override
    public @Nullable ActivityKey heeds(String topic) {
        throw asked();
    }

    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        throw asked();
    }
}
