package dev.pawl.testkit.sim;

import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.HexFormat;
import java.util.List;

/** The tables as text, for comparing whole states: to the byte, or without what a crash may rightly change. */
public final class SimDump {

    /** What to leave out. */
    public enum Style {
        EVERYTHING,
        /** Without entry counters, ids, versions and times: two runs that did the same work are equal in this. */
        MEANING
    }

    private final SimTables tables;
    private final boolean exact;

    SimDump(SimTables tables, Style style) {
        this.tables = tables;
        this.exact = style == Style.EVERYTHING;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        tables.workflows.values().forEach(workflow -> append(text, workflow));
        tables.inbox.forEach((id, row) -> text.append("inbox ").append(exact ? id + " " : "").append(row).append('\n'));
        tables.givenUp.forEach(message -> text.append("given up ").append(message).append('\n'));
        if (exact) {
            tables.shards.values().forEach(shard -> text.append(shard).append('\n'));
            tables.engines.forEach((engine, until) -> text.append(engine).append(' ').append(until).append('\n'));
            tables.decisions.values().forEach(decision -> text.append(decision).append('\n'));
            tables.acceptances.values().forEach(acceptance -> text.append(acceptance).append('\n'));
        }
        return text.toString();
    }

    private void append(StringBuilder text, SimWorkflow workflow) {
        WorkflowRecord row = workflow.row;
        text.append("workflow ").append(row.key()).append(' ').append(row.beginning().definition()).append(' ')
                .append(row.status()).append(' ').append(gate(row.gate())).append(' ')
                .append(HexFormat.of().formatHex(row.output().bytes())).append(' ').append(row.reason());
        if (exact) {
            text.append(' ').append(row.version()).append(' ').append(row.createdAt()).append(' ')
                    .append(row.closedAt()).append(' ').append(row.chain()).append(' ').append(workflow.journal.size());
        }
        text.append('\n');
        workflow.activities.values().forEach(activity -> text.append("  ").append(activity(activity)).append('\n'));
        guids(workflow).forEach(guid -> text.append("  ").append(guid).append('\n'));
        workflow.joins
                .forEach((key, gate) -> text.append("  join ").append(key).append(' ').append(gate(gate)).append('\n'));
        workflow.attributes.values().forEach(each -> text.append("  ").append(each).append('\n'));
        workflow.queue.values().forEach(delivery -> text.append("  queue ").append(delivery).append('\n'));
        if (exact) {
            workflow.effects.values().forEach(effect -> text.append("  effect ").append(effect).append('\n'));
            // A signal to all finds whoever waits at the time; what is left over when a workflow closes depends on that.
            workflow.signals.forEach(signal -> text.append("  signal ").append(signal.guid()).append('\n'));
        }
    }

    private String gate(Gate gate) {
        return gate.semaphore().open() + "/" + gate.threshold() + " "
                + (exact ? String.valueOf(gate.closedBy()) : gate.closed() ? "closed" : "open");
    }

    private String activity(ActivityRecord activity) {
        String ledger = activity.ledger().toString();
        String masked = ledger.charAt(0) + "··" + ledger.substring(3);
        return activity.key() + " " + activity.type() + " " + (exact ? ledger : masked) + " "
                + HexFormat.of().formatHex(activity.input().bytes()) + " "
                + HexFormat.of().formatHex(activity.output().bytes()) + " "
                + (exact ? activity.waker().toString() : name(activity.waker())) + " " + activity.child();
    }

    private static String name(Waker waker) {
        return waker.getClass().getSimpleName();
    }

    /** The ids differ where another attempt was answered; what the ledgers say must not. */
    private List<String> guids(SimWorkflow workflow) {
        return workflow.guids.values().stream().map(guid -> "message " + (exact ? guid.guid() + " " : "") + shown(guid))
                .sorted().toList();
    }

    /** Which of several parallel messages came last, and so closed the workflow, is a matter of time. */
    private String shown(GuidRecord guid) {
        String ledger = guid.ledger().toString();
        String masked = ledger.substring(0, 3) + "·" + ledger.substring(4, 6) + "·" + ledger.substring(7);
        return guid.activity() + " " + (exact ? ledger : masked);
    }
}
