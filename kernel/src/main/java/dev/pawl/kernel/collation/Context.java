package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;

/** What every part of one transition works with: the state so far, the definition, the message's identity, the time. */
record Context(Overlay overlay, Behaviour behaviour, Audience audience, WorkflowKey workflow, Guid guid, Instant now) {

    /** The same for another message of the transition. */
    Context of(Overlay on, Guid message) {
        return new Context(on, behaviour, audience, workflow, message, now);
    }

    Next next(ActivityKey plane, Response response) {
        return behaviour.next(overlay, overlay.existing(plane), response);
    }

    ActivityRecord withOutput(ActivityRecord activity, Response response) {
        return activity.with(behaviour.output(overlay, activity, response));
    }

    /** The code of a flow has to go on: something has come that it may wait for. */
    Write tell(ActivityKey flow) {
        ActivityRecord code = overlay.existing(flow);
        if (code.waker() instanceof Waker.Code waker) {
            return new Write.PutActivity(code.with(waker.told()));
        }
        throw new DefinitionFault(flow + " is not the code of a flow");
    }

    /** Ends another workflow; sent twice, it is the same message. */
    Write.Post interrupt(Recipient target, Ending ending) {
        WorkflowKey key = target.workflow();
        return new Write.Post(target.group(), new Message.Interrupt(key, guid.interruptOf(key), ending));
    }

    /** What leg one asks for. A definition whose answer is of another type than its activity is broken. */
    Request request(ActivityRecord activity) {
        Request request = behaviour.request(overlay, activity, now);
        if (request.type() != activity.type()) {
            throw new DefinitionFault("the definition answers " + activity.key() + ", a " + activity.type()
                    + ", with a request of a " + request.type());
        }
        boolean oneself = request instanceof Request.InterruptAnother another
                && another.target().workflow().equals(workflow);
        return oneself ? new Request.InterruptSelf(((Request.InterruptAnother) request).ending()) : request;
    }

    /** The request of an activity that is already in its steps: a definition may not change its mind half-way. */
    Request.Stepping stepping(ActivityRecord activity) {
        if (request(activity) instanceof Request.Stepping stepping) {
            return stepping;
        }
        throw new DefinitionFault("the definition answers " + activity.key() + " otherwise than before");
    }
}
