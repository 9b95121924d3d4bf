package dev.pawl.lab.torture;

import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What was promised outside, held against what is stored: nothing acknowledged is lost, nothing is applied that nobody asked for,
 * and nothing is done twice.
 *
 * @param workflows everything stored, by id
 * @param waiting the messages in the inboxes
 */
record Promises(Store store, Load load, Map<String, Retelling> workflows, Set<Guid> waiting, List<String> violations) {

    Promises(Store store, Load load, Map<String, Retelling> workflows, Set<Guid> waiting) {
        this(store, load, workflows, waiting, new ArrayList<>());
    }

    /** What was acknowledged before the store was read must be there. */
    void kept(OutsideWorld before, Predicate<OutsideWorld.Signal> sendAgain) {
        before.wrong.forEach(violations::add);
        before.started.forEach(this::started);
        before.sights.forEach(this::seen);
        before.interrupted.forEach(this::interrupted);
        before.signals.forEach((signal, at) -> {
            arrived(signal);
            if (sendAgain.test(signal)) {
                duplicate(signal, at);
            }
        });
        before.calls.forEach(this::declared);
    }

    private void started(String workflowId) {
        Retelling workflow = workflows.get(workflowId);
        Scenario scenario = load.scenario(Load.number(workflowId));
        Start start = scenario.starts().stream().filter(each -> each.workflowId().equals(workflowId)).findFirst()
                .orElseThrow();
        if (workflow == null) {
            violations.add("lost: " + workflowId + " was started, and is not there");
        } else if (!workflow.record.beginning().equals(scenario.message(start).beginning())) {
            violations.add("P1 " + workflowId + " was started as something else");
        }
    }

    /** What somebody has read was durable: the chain still goes through it. */
    private void seen(OutsideWorld.Sight sight) {
        Retelling workflow = workflows.get(sight.workflowId());
        if (workflow == null || workflow.history.hashes.size() < sight.version()) {
            violations.add("lost: version " + sight.version() + " of " + sight.workflowId() + ", which was read");
        } else if (!workflow.history.hashes.get((int) sight.version() - 1).hex().equals(sight.chain())) {
            violations.add("lost: version " + sight.version() + " of " + sight.workflowId()
                    + " was read, and is another one now");
        } else if (WorkflowStatus.valueOf(sight.status()).terminal()
                && !workflow.record.status().name().equals(sight.status())) {
            violations.add("P4 " + sight.workflowId() + " was read as " + sight.status() + " and is "
                    + workflow.record.status());
        }
    }

    private void interrupted(String workflowId) {
        WorkflowKey key = Scenario.key(workflowId);
        Guid guid = Guid.ofRequest(key, "interrupt", "outside");
        if (!arrived(workflowId, guid)) {
            violations.add("lost: the interrupt of " + workflowId);
        }
    }

    private void arrived(OutsideWorld.Signal signal) {
        Guid guid = Guid.ofRequest(Scenario.key(signal.workflowId()), signal.topic(), signal.signalId());
        if (!arrived(signal.workflowId(), guid)) {
            violations.add("lost: " + signal + " was accepted, and is nowhere");
        }
    }

    /** In the inbox, kept, or with a ledger; a workflow that has closed meanwhile need not have taken it. */
    private boolean arrived(String workflowId, Guid guid) {
        Retelling workflow = workflows.get(workflowId);
        return waiting.contains(guid) || (workflow != null && (workflow.record.gate().closed()
                || workflow.snapshot.guid(guid) != null
                || workflow.snapshot.signals().stream().anyMatch(kept -> kept.guid().equals(guid))));
    }

    private void duplicate(OutsideWorld.Signal named, long at) {
        Stimulus.Signal signal = load.scenario(Load.number(named.workflowId())).stimuli().stream()
                .filter(Stimulus.Signal.class::isInstance).map(Stimulus.Signal.class::cast)
                .filter(each -> each.topic().equals(named.topic()) && each.signalId().equals(named.signalId()))
                .findFirst().orElseThrow();
        SignalResult again = store.signal(Client.request(signal, Instant.ofEpochMilli(at).plusSeconds(1)));
        if (!(again instanceof SignalResult.Duplicate duplicate)
                || duplicate.signal().acceptedAt().toEpochMilli() != at) {
            violations.add("P6 " + named + ", accepted at " + at + " and sent again, is answered " + again);
        }
    }

    /** A worker is called when its attempt is durable, and not before. */
    private void declared(OutsideWorld.Call call) {
        Retelling workflow = workflows.get(call.workflowId());
        Integer attempt = workflow == null ? null : workflow.history.attempts.get(activity(call));
        if (attempt == null || attempt < call.attempt()) {
            violations.add("P1 " + call + " was made, but its attempt is not there");
        }
    }

    /** What was told outside until after the store was read: every answer that was taken is among it, and no call twice. */
    void earned(OutsideWorld after) {
        Set<OutsideWorld.Call> calls = new HashSet<>();
        Set<Guid> possible = new HashSet<>();
        after.calls.forEach(call -> {
            if (!calls.add(call)) {
                violations.add("P2 " + call + " was made twice");
            }
            possible.add(Guid.ofAnswer(Scenario.key(call.workflowId()), activity(call), call.attempt(), 0));
        });
        workflows.values().forEach(workflow -> workflow.answers.forEach((activity, answer) -> {
            if (!possible.contains(answer)) {
                violations.add("P9 " + activity + " of " + workflow.history.workflow
                        + " took an answer that nobody gave");
            }
        }));
    }

    private static ActivityKey activity(OutsideWorld.Call call) {
        int at = call.activity().indexOf('@');
        return new ActivityKey(call.activity().substring(0, at),
                new DimensionalAddress(call.activity().substring(at + 1)));
    }
}
