package dev.pawl.store.format;

import dev.pawl.engine.store.Lease;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything a store says of its workflows, through the port, as lines of text. */
final class Dump {

    private final Store store;
    private final List<String> lines = new ArrayList<>();

    private Dump(Store store) {
        this.store = store;
    }

    static String of(Store store) {
        return new Dump(store).text();
    }

    private String text() {
        store.workflows(WorkflowQuery.all(Bench.NAMESPACE), null, 1_000).items().stream()
                .sorted(Comparator.comparing(WorkflowRecord::key)).forEach(this::workflow);
        for (Lease lease : store.leases(Bench.NAMESPACE, Bench.GROUP)) {
            lines.add("shard " + lease.shard() + " in epoch " + lease.epoch() + ", format " + lease.format());
            store.inbox(lease.shard(), 1_000).forEach(delivery -> message("inbox", delivery));
            store.queue(lease.shard(), null, 1_000).forEach(delivery -> message("queue", delivery));
        }
        store.givenUp(Bench.NAMESPACE, null, 1_000).items()
                .forEach(each -> message("given up (" + each.reason() + ")", each.delivery()));
        // Who holds slots depends on the store: where one process has the file, those of the one before it are free.
        store.pools(Bench.NAMESPACE).forEach(use -> lines.add(use.pool().toString()));
        return String.join("\n", lines) + "\n";
    }

    private void workflow(WorkflowRecord row) {
        lines.add("workflow " + row.key() + " " + row.beginning().definition() + " "
                + row.beginning().definitionVersion() + " (" + Text.in(row.beginning().input()) + ") of "
                + row.beginning().origin() + " " + row.status() + " version " + row.version() + " "
                + gate(row.gate()) + " messages " + row.messages() + " chain " + row.chain() + " -> "
                + Text.in(row.output()) + " because " + row.reason() + " from " + row.createdAt() + " to "
                + row.closedAt());
        Snapshot snapshot = store.load(row.key());
        snapshot.activities().forEach(this::activity);
        snapshot.guids().values().stream().map(guid -> "  message " + guid.guid() + " of " + guid.activity() + " "
                + guid.ledger()).sorted().forEach(lines::add);
        snapshot.joins().forEach((key, gate) -> lines.add("  join " + key + " " + gate(gate)));
        snapshot.signals().forEach(signal -> lines.add("  kept " + signal.guid() + " on " + signal.topic() + ": "
                + Text.in(signal.response().payload())));
        store.effects(row.key()).forEach(effect -> lines.add("  effect " + effect.effect().key() + " "
                + effect.effect().status() + " (" + text(effect.effect().result()) + ") because "
                + text(effect.effect().error()) + " from " + effect.createdAt() + " to " + effect.updatedAt()));
        store.attributes(row.key()).forEach(attribute -> lines.add("  " + (attribute instanceof Attribute.Memo memo
                ? "memo " + memo.name() + " " + Text.in(memo.value()) : attribute)));
        store.decisions(row.key()).forEach(each -> lines.add("  decision " + each.caseId() + " " + each.decision()
                + " by " + each.subject() + " (" + each.note() + ") at " + each.decidedAt() + " "
                + Text.in(each.arguments())));
        store.events(row.key(), 0, 1_000).forEach(event -> lines.add("  " + event.number() + " " + event.json()));
    }

    private static String text(@Nullable Payload payload) {
        return payload == null ? "nothing" : Text.in(payload);
    }

    private void activity(ActivityRecord activity) {
        lines.add("  " + activity.key() + " " + activity.type() + " " + activity.ledger() + " ("
                + Text.in(activity.input()) + ") -> " + Text.in(activity.output()) + " awaits " + activity.waker()
                + " child " + activity.child());
    }

    private static String gate(Gate gate) {
        return gate.semaphore().open() + "/" + gate.threshold() + " closed by " + gate.closedBy();
    }

    private void message(String where, Delivery delivery) {
        lines.add("  " + where + " " + delivery.place() + " x" + delivery.marks() + " " + delivery.message());
    }
}
