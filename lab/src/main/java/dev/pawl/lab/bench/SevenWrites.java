package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One workflow of 20 transitions that are all alike: the semaphore moves, an activity's state and ledger are replaced, the
 * message gets a ledger of its own, another message is queued, this one is acknowledged, an event is appended. Seven writes, as
 * stores were compared by them before there was one. The first transition starts the workflow, the last one closes it.
 */
final class SevenWrites implements Story {

    private static final int TRANSITIONS = 20;
    private static final int ACTIVITIES = 4;
    private static final int MESSAGE_BYTES = 64;
    private static final DimensionalAddress ADDRESS = DimensionalAddress.ROOT.child();

    private final WorkflowKey key;
    private final String group;
    private final RandomGenerator random;
    private final int payloadBytes;
    private final Instant now;
    private final Overlay overlay = new Overlay(Snapshot.ABSENT);
    private int done;

    /** With so many bytes of state in an activity on average, from four sevenths to ten sevenths of that. */
    SevenWrites(WorkflowKey key, String group, int payloadBytes, RandomGenerator random, Instant now) {
        this.key = key;
        this.group = group;
        this.payloadBytes = payloadBytes;
        this.random = random;
        this.now = now;
    }

    @Override
    public boolean ready(long position) {
        return true;
    }

    @Override
    public boolean over() {
        return done == TRANSITIONS;
    }

    @Override
    public Bundle next(long position) {
        List<Part> parts = new ArrayList<>();
        WorkflowRecord before = overlay.workflow();
        Guid guid = before == null ? Guid.ofStart(key) : guid(done - 1);
        if (before == null) {
            begin(guid, parts);
        } else {
            go(guid, parts);
        }
        done++;
        Bundle bundle = Bundle.sealed(key, overlay,
                new Occasion(before == null ? "start" : "reenter", guid, now), parts);
        overlay.apply(bundle);
        return bundle;
    }

    private void begin(Guid guid, List<Part> parts) {
        Message.Beginning beginning =
                new Message.Beginning(group, "seven-writes", "1", "begin", 0, payload(MESSAGE_BYTES), null);
        ActivityKey trigger = ActivityKey.trigger("begin");
        GuidLedger worked = GuidLedger.seed(0).markWorkDone();
        parts.add(Part.of(Step.WORK,
                new Write.CreateWorkflow(WorkflowRecord.created(key, beginning, now)),
                new Write.PutActivity(ActivityRecord.trigger(trigger, beginning.input())),
                new Write.PutGuid(new GuidRecord(guid, trigger, worked))));
        parts.add(Part.of(Step.SPAWN,
                new Write.Enqueue(0, message(0)),
                new Write.PutGuid(new GuidRecord(guid, trigger, worked.markChildrenSpawned())),
                new Write.MoveSemaphore(guid, 1, 0, false)));
    }

    private void go(Guid guid, List<Part> parts) {
        ActivityKey activity = activity(done);
        ActivityRecord before = overlay.activity(activity);
        ActivityRecord entered = before == null ? created(activity) : before.with(before.ledger().enterLegTwo());
        GuidRecord seeded = new GuidRecord(guid, activity, GuidLedger.seed(entered.ledger().legTwoEntries()));
        GuidRecord worked = seeded.with(seeded.ledger().markWorkDone());
        GuidRecord spawned = worked.with(worked.ledger().markChildrenSpawned());
        ActivityRecord answered = entered.with(payload(payloadBytes * 4 / 7 + random.nextInt(payloadBytes * 6 / 7)));
        parts.add(Part.of(Step.ENTRY, new Write.PutActivity(entered), new Write.PutGuid(seeded)));
        parts.add(Part.of(Step.WORK, new Write.PutActivity(answered), new Write.PutGuid(worked)));
        if (done < TRANSITIONS - 1) {
            parts.add(Part.of(Step.SPAWN,
                    new Write.Enqueue(done, message(done)),
                    new Write.PutGuid(spawned),
                    new Write.MoveSemaphore(guid, done % 2 == 0 ? 1 : -1, GuidLedger.CLOSER, false)));
        } else {
            parts.add(Part.of(Step.SPAWN, new Write.PutGuid(spawned),
                    new Write.MoveSemaphore(guid, overlay.started().gate().deltaToThreshold(), GuidLedger.CLOSER,
                            true)));
            parts.add(Part.of(Step.COMPLETE,
                    new Write.CloseWorkflow(WorkflowStatus.COMPLETED, payload(MESSAGE_BYTES), null, now),
                    new Write.PutGuid(spawned.with(spawned.ledger().markCloser().markCompletionDone()))));
        }
        parts.add(Part.of(Step.ACK, new Write.Acknowledge(new Delivery.Place.Queue(done - 1L))));
    }

    /** Entered once before, so that the ledger of every message here is a row of its own. */
    private static ActivityRecord created(ActivityKey key) {
        ActivityLedger ledger = ActivityLedger.NEW.enterLegOne().completeLegOne().enterLegTwo().enterLegTwo();
        return ActivityRecord.entered(key, ActivityType.HOOK, Payload.EMPTY).with(ledger);
    }

    private static ActivityKey activity(int number) {
        return new ActivityKey("activity-" + number % ACTIVITIES, ADDRESS);
    }

    private Message message(int number) {
        ActivityKey target = activity(number + 1);
        return new Message.Reenter(key, guid(number), target, payload(MESSAGE_BYTES));
    }

    private Guid guid(int number) {
        return Guid.derive("seven", key.workflowId(), Integer.toString(number));
    }

    private Payload payload(int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return Payload.of(content);
    }
}
