package dev.pawl.store.postgres;

import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.message.Message;
import dev.pawl.store.plan.Plan;
import dev.pawl.store.plan.WorkflowPlan;
import dev.pawl.store.postgres.PgNumbers.Place;
import dev.pawl.store.row.FreeText;
import dev.pawl.store.row.MessageRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans as columns for the parts of the commit's statement, each under the fence of its shard; all shards are of one namespace. Where a row would be written twice, by a charge and its removal
 * say, it is settled here what is left to write: within one statement a row can be written only once.
 */
final class PgBatch {

    private static final PgColumn NONE = new PgColumn();
    /** Of a workflow whose own row stays as it is. */
    private static final int UNCOUNTED = 0;

    private final Map<PgPart, List<PgColumn>> parts = new EnumMap<>(PgPart.class);

    /**
     * What one shard wants committed.
     *
     * @param epoch of the fence, or null for a start
     * @param places where the rows of the plan's workflows are, in their order
     * @param homes the number of the shard each posted message goes to, in their order
     */
    record Piece(ShardId shard, @Nullable Long epoch, Plan plan, List<Place> places, List<Long> homes) {
    }

    /** A workflow of the batch, and where its rows are. */
    private record Placed(WorkflowPlan plan, Place place) {
    }

    PgBatch(List<Piece> pieces) {
        for (Piece piece : pieces) {
            ShardId shard = piece.shard();
            add(PgPart.FENCE, shard.namespace(), shard.group(), shard.number(), piece.epoch());
        }
        workflows(pieces);
        for (Piece piece : pieces) {
            inbox(piece.plan());
            for (int i = 0; i < piece.homes().size(); i++) {
                Message message = piece.plan().posts().get(i).message();
                add(PgPart.POST_MESSAGE, message(MessageRow.of(message), message.workflow().namespace(),
                        piece.homes().get(i), message.workflow().workflowId()));
            }
        }
    }

    Set<PgPart.Group> groups() {
        return parts.keySet().stream().map(PgPart::group).collect(Collectors.toUnmodifiableSet());
    }

    PgColumn column(PgPart part, int column) {
        List<PgColumn> columns = parts.get(part);
        return columns == null ? NONE : columns.get(column);
    }

    void add(PgPart part, @Nullable Object... row) {
        add(parts.computeIfAbsent(part, none -> columns(row.length)), row);
    }

    private static void add(List<PgColumn> columns, @Nullable Object... row) {
        for (int i = 0; i < row.length; i++) {
            columns.get(i).add(row[i]);
        }
    }

    private static List<PgColumn> columns(int width) {
        List<PgColumn> columns = new ArrayList<>(width);
        for (int i = 0; i < width; i++) {
            columns.add(new PgColumn());
        }
        return columns;
    }

    /** Workflows are counted in find_workflow: the rows that change come first, then the new ones. */
    private void workflows(List<Piece> pieces) {
        List<PgColumn> changing = columns(3);
        List<PgColumn> born = columns(3);
        List<PgColumn> absent = columns(2);
        List<Placed> counted = new ArrayList<>();
        List<Placed> steady = new ArrayList<>();
        List<Placed> last = new ArrayList<>();
        for (Piece piece : pieces) {
            Iterator<Place> places = piece.places().iterator();
            for (WorkflowPlan workflow : piece.plan().workflows()) {
                Placed placed = new Placed(workflow, places.next());
                if (workflow.created != null) {
                    last.add(placed);
                    add(born, workflow.key.workflowId(), workflow.created.gate().semaphore().open(),
                            workflow.created.gate().threshold());
                } else if (workflow.changesRow()) {
                    counted.add(placed);
                    add(changing, placed.place().workflowNo(), workflow.expectedVersion, workflow.firstNumber);
                } else {
                    steady.add(placed);
                }
            }
            piece.plan().mustNotExist().forEach(key -> add(absent, key.namespace(), key.workflowId()));
        }
        counted.addAll(last);
        if (!counted.isEmpty() || !absent.getFirst().isEmpty()) {
            List<PgColumn> find = new ArrayList<>(changing);
            find.addAll(born);
            find.add(PgColumn.of((long) counted.size()));
            find.addAll(absent);
            parts.put(PgPart.FIND_WORKFLOW, find);
        }
        for (int i = 0; i < counted.size(); i++) {
            new PgWorkflow(this, i + 1, counted.get(i).place(), counted.get(i).plan()).add();
        }
        for (Placed placed : steady) {
            new PgWorkflow(this, UNCOUNTED, placed.place(), placed.plan()).add();
        }
    }

    private void inbox(Plan plan) {
        plan.mustLieInInbox().forEach(id -> add(PgPart.LIES_IN_INBOX, id));
        plan.givenUpInInbox().forEach((id, reason) -> {
            add(PgPart.GIVE_UP_IN_INBOX, id, FreeText.column(reason), plan.chargedInInbox().get(id));
            add(PgPart.TAKE_FROM_INBOX, id);
        });
        plan.takenFromInbox().stream().filter(id -> !plan.givenUpInInbox().containsKey(id))
                .forEach(id -> add(PgPart.TAKE_FROM_INBOX, id));
        plan.chargedInInbox().forEach((id, marks) -> {
            if (!plan.takenFromInbox().contains(id) && !plan.givenUpInInbox().containsKey(id)) {
                add(PgPart.CHARGE_IN_INBOX, id, marks);
            }
        });
    }

    /** The columns of a message, the same in queue and inbox, after those that say where it lies. */
    static @Nullable Object[] message(MessageRow row, @Nullable Object... place) {
        @Nullable Object[] message = {row.kind(), row.guid(), row.activity(), row.address(), row.name(), row.source(),
            row.attempt(), row.response(), row.payload(), row.details()};
        @Nullable Object[] all = new @Nullable Object[place.length + message.length];
        System.arraycopy(place, 0, all, 0, place.length);
        System.arraycopy(message, 0, all, place.length, message.length);
        return all;
    }
}
