package dev.pawl.store.postgres;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.row.AttributeRow;
import dev.pawl.store.row.EffectRow;
import dev.pawl.store.row.EventRow;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import dev.pawl.store.row.WakerRow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One workflow's plan, row by row, for a batch. Its own row is told once: created, committed or closed. */
final class PgWorkflow {

    private final PgBatch batch;
    private final int ord;
    private final long workflowNo;
    private final long shardNo;
    private final WorkflowPlan plan;
    private final long delta;
    private final @Nullable Guid closer;

    /**
     * The rows of one workflow.
     *
     * @param ord its place among those whose own rows change or are new
     */
    PgWorkflow(PgBatch batch, int ord, PgNumbers.Place place, WorkflowPlan plan) {
        this.batch = batch;
        this.ord = ord;
        this.workflowNo = place.workflowNo();
        this.shardNo = place.shardNo();
        this.plan = plan;
        this.delta = plan.moves.stream().mapToLong(WorkflowPlan.Move::delta).sum();
        this.closer = plan.moves.stream().filter(WorkflowPlan.Move::predictedHit).map(WorkflowPlan.Move::by)
                .findFirst().orElse(null);
    }

    void add() {
        WorkflowRecord created = plan.created;
        if (created == null) {
            batch.add(PgPart.APPEND_EVENT_AFTER, workflowNo, plan.expectedVersion, plan.expectedChain);
            update();
        } else {
            create(created, created.beginning(), created.beginning().origin(), plan.close);
        }
        plan.moves.forEach(move -> batch.add(PgPart.MOVE_SEMAPHORE, ord, move.delta(), move.predictedHit()));
        for (EventRow event : EventRow.of(plan)) {
            batch.add(PgPart.APPEND_EVENT, workflowNo, event.number(), event.hash(), event.signalGuid(), event.body(),
                    event.payloads());
        }
        waiting();
        joins();
        queue();
        plan.accepted.values().forEach(this::accept);
        plan.effects.values().forEach(effect -> batch.add(PgPart.PUT_EFFECT, EffectRow.columns(effect, workflowNo)));
        plan.attributes.values().forEach(this::attribute);
    }

    private void accept(Write.Accept accept) {
        String workflowId = plan.key.workflowId();
        Object name = FreeText.column(accept.signalName());
        Object id = FreeText.column(accept.signalId());
        if (accept.keyed()) {
            batch.add(PgPart.SIGNAL_IS_KNOWN, workflowNo, shardNo, workflowId, name, id, accept.guid());
        }
        batch.add(PgPart.ACCEPT_IN_COMMIT, workflowId, name, id, accept.guid(), accept.acceptedAt().toEpochMilli(),
                accept.expiresAt().toEpochMilli());
    }

    private void attribute(Write.PutAttribute put) {
        Attribute.Key key = put.attribute().key();
        if (put.attribute() instanceof Attribute.Removed) {
            batch.add(PgPart.REMOVE_ATTRIBUTE, workflowNo, key.memo(), key.name());
        } else {
            batch.add(PgPart.PUT_ATTRIBUTE, AttributeRow.columns(put, workflowNo, key.memo()));
        }
    }

    private void update() {
        Write.CloseWorkflow close = plan.close;
        Write.Hold hold = plan.hold;
        if (close == null && hold != null) {
            batch.add(PgPart.HOLD_WORKFLOW, ord, plan.nextNumber, delta, closer,
                    hold.status().name(), FreeText.columnOrNull(hold.reason()));
        } else if (close == null && plan.changesRow()) {
            batch.add(PgPart.COMMIT_WORKFLOW, ord, plan.nextNumber, delta, closer);
        } else if (close != null) {
            batch.add(PgPart.CLOSE_WORKFLOW, ord, plan.nextNumber, delta, closer,
                    close.status().name(), close.output(), FreeText.columnOrNull(close.reason()),
                    close.closedAt().toEpochMilli());
        }
    }

    private void create(WorkflowRecord created, Beginning beginning, @Nullable Origin origin,
            Write.@Nullable CloseWorkflow close) {
        batch.add(PgPart.CREATE_WORKFLOW, workflowNo, shardNo, plan.key.workflowId(), beginning.group(),
                beginning.definition(),
                beginning.definitionVersion(), beginning.trigger(), beginning.threshold(),
                origin == null ? null : origin.parent().group(),
                origin == null ? null : origin.parent().workflow().namespace(),
                origin == null ? null : origin.parent().workflow().workflowId(),
                origin == null ? null : origin.activity().activity(),
                origin == null ? null : origin.activity().address().drawing(),
                origin == null ? null : origin.answer(), origin == null ? null : Boolean.valueOf(origin.awaitsResult()),
                close == null ? created.status().name() : close.status().name(),
                created.gate().semaphore().open() + delta, closer, plan.nextNumber == null ? 0L : plan.nextNumber,
                beginning.input(), close == null ? Payload.EMPTY : close.output(),
                close == null ? null : FreeText.columnOrNull(close.reason()), created.createdAt().toEpochMilli(),
                close == null ? null : Long.valueOf(close.closedAt().toEpochMilli()));
    }

    private void waiting() {
        if (closer != null && plan.created == null) {
            batch.add(PgPart.END_ALL_WAITING, workflowNo);
        }
        for (ActivityKey ended : plan.ended()) {
            batch.add(PgPart.END_WAITING, workflowNo, ended.address().drawing(), ended.activity());
        }
        plan.opened().forEach((activity, opened) -> {
            WakerRow waker = WakerRow.of(opened);
            batch.add(PgPart.PUT_WAITING, workflowNo, shardNo, activity.address().drawing(), activity.activity(),
                    waker.waker(),
                    waker.name(), waker.dueAt(), waker.attempt(), waker.taskInput());
        });
    }

    /** Arrivals at one join, and which of them was foreseen to open it. */
    private static final class Arrivals {

        private final int expected;
        private long arriving;
        private @Nullable Long foreseen;
        private @Nullable Guid closer;

        Arrivals(int expected) {
            this.expected = expected;
        }

        void add(Write.MoveJoin move) {
            arriving++;
            if (move.predictedHit()) {
                // Two of them cannot both open it: then no number fits.
                foreseen = foreseen == null ? arriving : 0;
                closer = move.by();
            }
        }
    }

    private void joins() {
        Map<ActivityKey, Arrivals> gates = new LinkedHashMap<>();
        plan.joins.forEach(move -> gates.computeIfAbsent(move.join(), join -> new Arrivals(move.arrivals())).add(move));
        gates.forEach((join, at) -> batch.add(PgPart.MOVE_JOIN, workflowNo, join.address().drawing(), join.activity(),
                (long) at.expected, at.arriving, at.foreseen, at.closer));
    }

    private void queue() {
        plan.queued.forEach((number, message) -> batch.add(PgPart.QUEUE_MESSAGE, PgBatch.message(
                MessageRow.of(message), shardNo, workflowNo, number, plan.charged.getOrDefault(number, 1))));
        plan.givenUp.forEach((number, reason) -> {
            if (plan.queued.containsKey(number)) {
                throw new IllegalArgumentException(
                        "message " + number + " of " + plan.key + " is given up by the batch that queues it");
            }
            batch.add(PgPart.GIVE_UP_MESSAGE, shardNo, workflowNo, number, plan.key.workflowId(),
                    FreeText.column(reason),
                    plan.charged.get(number));
            batch.add(PgPart.ACKNOWLEDGE_MESSAGE, shardNo, workflowNo, number);
        });
        plan.acknowledged.stream().filter(number -> !plan.givenUp.containsKey(number)).distinct()
                .forEach(number -> batch.add(PgPart.ACKNOWLEDGE_MESSAGE, shardNo, workflowNo, number));
        plan.charged.forEach((number, marks) -> {
            if (!plan.queued.containsKey(number) && !plan.givenUp.containsKey(number)
                    && !plan.acknowledged.contains(number)) {
                batch.add(PgPart.CHARGE_MESSAGE, shardNo, workflowNo, number, marks);
            }
        });
    }
}
