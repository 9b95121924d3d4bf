package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.Waker;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many bytes a transition has to say, whatever a store makes of it: keys, ledgers, payloads and the event. */
final class Content {

    private static final int GUID = 16;
    private static final int NUMBER = 8;

    private Content() {
    }

    static long bytes(Bundle bundle) {
        long bytes = bundle.workflow().workflowId().length() + 2L * NUMBER;
        Map<ActivityKey, Long> activities = new HashMap<>();
        boolean guid = false;
        for (Write write : bundle.writes()) {
            switch (write) {
                // Only the last state of an activity or of the message's ledger is written.
                case Write.PutActivity put -> activities.put(put.activity().key(), bytes(put.activity()));
                case Write.PutGuid put -> guid = true;
                case Write.Enqueue enqueue -> bytes += bytes(enqueue.message());
                case Write.Post post -> bytes += bytes(post.message());
                case Write.CloseWorkflow close -> bytes += close.output().size();
                case Write.BufferSignal buffer -> bytes += bytes(buffer.signal());
                case Write.MoveJoin move -> bytes += bytes(move.join()) + GUID;
                case Write.CreateWorkflow create -> bytes += create.workflow().beginning().definition().length();
                case Write.MoveSemaphore move -> {}
                case Write.Hold hold -> {}
                case Write.Acknowledge acknowledge -> bytes += NUMBER;
                case Write.Charge charge -> bytes += NUMBER;
                case Write.GiveUp giveUp -> bytes += NUMBER;
                case Write.PutAttribute put -> bytes += put.attribute().key().name().length() + 2L * NUMBER;
                case Write.Accept accept ->
                    bytes += accept.signalName().length() + accept.signalId().length() + GUID + 2L * NUMBER;
                case Write.TakeSignal take -> bytes += GUID;
                case Write.PutEffect put -> bytes += bytes(put.effect().effect());
            }
        }
        return bytes + (guid ? GUID + NUMBER : 0) + activities.values().stream().mapToLong(Long::longValue).sum()
                + (bundle.seal() == null ? 0 : bundle.seal().event().json().length());
    }

    private static long bytes(ActivityRecord activity) {
        long task = activity.waker() instanceof Waker.Task waiting ? waiting.input().size() + 2L * NUMBER : 0;
        return bytes(activity.key()) + NUMBER + activity.input().size() + activity.output().size() + task;
    }

    private static long bytes(Effect effect) {
        return effect.key().activityName().length() + effect.key().operationId().length()
                + effect.key().idempotencyKey().length() + size(effect.result()) + size(effect.error()) + 2L * NUMBER;
    }

    private static long size(@Nullable Payload payload) {
        return payload == null ? 0 : payload.size();
    }

    private static long bytes(@Nullable ActivityKey key) {
        return key == null ? 0 : key.activity().length() + key.address().drawing().length();
    }

    private static long bytes(Message message) {
        return GUID + NUMBER + switch (message) {
            case Message.Start start -> start.beginning().input().size() + start.beginning().definition().length();
            case Message.Enter enter -> bytes(enter.target());
            case Message.Reenter reenter -> bytes(reenter.target()) + reenter.input().size();
            case Message.Respond respond -> bytes(respond.target()) + respond.response().payload().size();
            case Message.Signal signal -> signal.topic().length() + signal.response().payload().size();
            case Message.Interrupt interrupt -> interrupt.ending().reason().length();
        };
    }
}
