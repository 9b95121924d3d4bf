package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Step 1 of a trigger: from here on the workflow exists and belongs to its start. */
final class Inception {

    private static final String ID_TAKEN = "\"WorkflowIdConflict\"";

    private Inception() {
    }

    static Part part(Message.Start start, Instant now) {
        WorkflowKey workflow = start.workflow();
        ActivityKey trigger = ActivityKey.trigger(start.beginning().trigger());
        List<Write> writes = new ArrayList<>();
        WorkflowRecord created = WorkflowRecord.created(workflow, start.beginning(), now);
        writes.add(new Write.CreateWorkflow(created));
        writes.add(new Write.PutActivity(ActivityRecord.trigger(trigger, start.beginning().input())));
        writes.add(new Write.PutGuid(new GuidRecord(start.guid(), trigger, GuidLedger.seed(0).markWorkDone())));
        start.attributes().forEach(each -> writes.add(new Write.PutAttribute(each, created.createdAt())));
        Origin origin = start.beginning().origin();
        if (origin != null && !origin.awaitsResult()) {
            Response exists = new Response.Final(idAsJson(workflow));
            writes.add(new Write.Post(origin.parent().group(), origin.answer(exists)));
        }
        return new Part(Step.WORK, writes);
    }

    /** Nobody will ever answer for the child that could not be: so the refusal does, if a parent waits for it. */
    static List<Write> refusal(Message.Start start) {
        Origin origin = start.beginning().origin();
        if (origin == null) {
            return List.of();
        }
        Response conflict = new Response.Failure(Payload.of(ID_TAKEN.getBytes(StandardCharsets.UTF_8)));
        return List.of(new Write.Post(origin.parent().group(), origin.answer(conflict)));
    }

    /** An id has no character that JSON would escape. */
    private static Payload idAsJson(WorkflowKey workflow) {
        return Payload.of(('"' + workflow.workflowId() + '"').getBytes(StandardCharsets.UTF_8));
    }
}
