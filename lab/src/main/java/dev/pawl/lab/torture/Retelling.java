package dev.pawl.lab.torture;

import dev.pawl.engine.store.Store;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Gate;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.simulate.Invariants;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One stored workflow, held against its own events: every ledger and every output is there because an event says so, and what an
 * event says is there. That is P1, asked of the rows and not of the code that wrote them.
 */
final class Retelling {

    private static final int PAGE = 100;

    final Snapshot snapshot;
    final WorkflowRecord record;
    final History history;
    /** The messages that have finished a worker's activity: exactly one for each that is finished. */
    final Map<ActivityKey, Guid> answers = new HashMap<>();

    private Retelling(Snapshot snapshot, WorkflowRecord record, History history) {
        this.snapshot = snapshot;
        this.record = record;
        this.history = history;
    }

    /** Reads the events of a workflow that was read before, as far as its version: an engine may be adding more. */
    static Retelling of(Store store, Snapshot snapshot) {
        WorkflowRecord record = Objects.requireNonNull(snapshot.workflow());
        History history = new History(record.key());
        List<Event> page;
        long last = 0;
        do {
            page = store.events(record.key(), last, PAGE);
            page.stream().filter(event -> event.number() <= record.version()).forEach(history::add);
            last = page.isEmpty() ? last : page.getLast().number();
        } while (page.size() == PAGE);
        Retelling retelling = new Retelling(snapshot, record, history);
        history.violations.addAll(Invariants.violations(snapshot));
        retelling.compare();
        return retelling;
    }

    List<String> violations() {
        return history.violations;
    }

    private void compare() {
        same("chain: the number of events", (long) history.hashes.size(), record.version());
        if (!history.hashes.isEmpty()) {
            same("chain: the last event", history.hashes.getLast(), record.chain());
        }
        Gate gate = record.gate();
        same("P4 the semaphore", history.semaphore, gate.semaphore().open());
        same("P4 the closer", history.closer, gate.closedBy() == null ? null : gate.closedBy().base64());
        same("P2 the number of queued messages", history.messages, record.messages());
        if (history.status != null || record.status().terminal()) {
            same("P4 the status", history.status, record.status().name());
            same("P1 the result", history.output, digest(record.output()));
        }
        activities();
        guids();
        joins();
        Set<String> signals = new HashSet<>();
        snapshot.signals().forEach(signal -> signals.add(signal.guid().base64()));
        same("P6 the kept signals", history.kept, signals);
    }

    private void activities() {
        same("P1 the activities", history.activities.keySet(), snapshot.activityByKey().keySet());
        for (ActivityRecord activity : snapshot.activities()) {
            ActivityKey key = activity.key();
            same("P1 the ledger of " + key, history.activities.get(key), activity.ledger());
            same("P1 the output of " + key, history.outputs.get(key), digest(activity.output()));
            if (history.inputs.containsKey(key)) {
                same("P1 the input of " + key, history.inputs.get(key), digest(activity.input()));
            }
        }
    }

    private void guids() {
        Set<String> stored = new HashSet<>();
        for (GuidRecord guid : snapshot.guids().values()) {
            stored.add(guid.guid().base64());
            same("P1 the ledger of message " + guid.guid(), history.ledgers.get(guid.guid().base64()),
                    guid.ledger());
            answer(guid);
        }
        same("P1 the messages with a ledger", history.ledgers.keySet(), stored);
    }

    private void answer(GuidRecord guid) {
        ActivityRecord activity = snapshot.activity(guid.activity());
        GuidLedger ledger = guid.ledger();
        if (activity != null && activity.type() == ActivityType.WORKER && ledger.ordinal() > 0
                && ledger.childrenSpawned() && answers.put(activity.key(), guid.guid()) != null) {
            violations().add("P2 " + activity.key() + " of " + history.workflow + " took two answers");
        }
    }

    private void joins() {
        same("P1 the joins", history.arrivals.keySet(), snapshot.joins().keySet());
        snapshot.joins().forEach((key, gate) -> same("P4 whether the join " + key + " is open",
                history.opened.contains(key), gate.closed()));
    }

    private static String digest(Payload payload) {
        return payload.size() == 0 ? "" : payload.digest().base64();
    }

    private void same(String what, @Nullable Object told,
            @Nullable Object stored) {
        if (!Objects.equals(told, stored)) {
            violations().add(what + " of " + history.workflow + " is " + stored + ", but its events say " + told);
        }
    }
}
