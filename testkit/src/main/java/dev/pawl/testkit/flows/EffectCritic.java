package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.testkit.scenario.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says what must be known of the effects of a flow that is over: of every operation with a key exactly one record, whose status fits what
 * its own record says and what the outside world has seen; of every other operation none.
 */
final class EffectCritic {

    private final Outside outside;
    private final String workflowId;
    private final List<ActivityRecord> operations;
    private final Map<String, List<Effect>> effects = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();

    EffectCritic(Outside outside, Snapshot end, List<EffectRecord> effects) {
        this.outside = outside;
        this.workflowId = Objects.requireNonNull(end.workflow()).key().workflowId();
        this.operations = FlowControl.operations(end);
        effects.forEach(each -> this.effects
                .computeIfAbsent(each.effect().key().operationId(), none -> new ArrayList<>()).add(each.effect()));
    }

    /** What is wrong with them; one line each. */
    List<String> judge() {
        for (ActivityRecord operation : operations) {
            String id = operation.key().activity();
            List<Effect> of = effects.getOrDefault(id, List.of());
            if (of.size() != (keyed(operation) || opensCase(operation) ? 1 : 0)) {
                wrong(id + " has " + of.size() + " records of its effect");
            } else if (opensCase(operation)) {
                failedCompensation(id, of.getFirst());
            } else if (!of.isEmpty()) {
                proved(operation, of.getFirst());
                if (handedOver(operation)) {
                    fitsAnswer(id, of.getFirst());
                } else {
                    fits(operation, of.getFirst());
                }
            }
            effects.remove(id);
        }
        effects.keySet().forEach(id -> wrong("there is a record of the effect of " + id + ", which never began"));
        return wrong;
    }

    /** Says that a compensation has failed for good, and that a person has to do it. */
    private static boolean opensCase(ActivityRecord operation) {
        return Text.in(operation.input()).contains("\"kind\":\"failed-compensation\"");
    }

    private void failedCompensation(String id, Effect effect) {
        ActivityRecord compensation = operation(id.substring("~f:".length()));
        if (effect.status() != EffectStatus.INDETERMINATE || compensation == null
                || !Text.in(compensation.output()).startsWith("!")) {
            wrong("opens a case about a compensation that has not failed: " + effect);
        }
    }

    private void wrong(String what) {
        wrong.add(workflowId + " " + what);
    }

    /** Activities of every level but one have a key, of their own or ours. */
    private static boolean keyed(ActivityRecord operation) {
        String header = Text.in(operation.input());
        return (header.contains("\"kind\":\"activity\"") || header.contains("\"kind\":\"compensation\""))
                && !header.contains("\"guarantee\":\"" + Guarantee.AT_LEAST_ONCE.text() + "\"");
    }

    /**
     * That something has not happened is proved by a verifier that has looked, or because no attempt has begun: what threw may have
     * happened.
     */
    private void proved(ActivityRecord operation, Effect effect) {
        String id = operation.key().activity();
        boolean claims = effect.status() == EffectStatus.FAILED || effect.status() == EffectStatus.CANCELLED;
        Outside.Place place = new Outside.Place(workflowId, id);
        boolean cancelledBefore = effect.status() == EffectStatus.CANCELLED && outside.begun(place) == 0;
        if (claims && !cancelledBefore && !(reconciled(operation) && outside.foundMissing(place))) {
            wrong("says that " + id + " has not happened, which nobody has proved: " + effect);
        }
    }

    private @Nullable ActivityRecord operation(String id) {
        return operations.stream().filter(each -> each.key().activity().equals(id)).findFirst().orElse(null);
    }

    /** A worker was given a token, and the hand-over has not failed. */
    private boolean handedOver(ActivityRecord operation) {
        return operation("~k1:" + operation.key().activity()) != null && operation.ledger().legTwoEntries() > 0
                && !Text.in(operation.output()).startsWith("!");
    }

    /** The effect of what was handed over: what the answer says, if it was heard. */
    private void fitsAnswer(String id, Effect effect) {
        ActivityRecord end = operation("~e:" + id);
        ActivityRecord answer = operation("~a:" + id);
        boolean heard = answer != null && answer.ledger().legTwoEntries() > 0;
        Payload output = end == null ? Payload.EMPTY
                : end.output().size() > 0 ? end.output() : heard && answer != null ? answer.output() : Payload.EMPTY;
        boolean completed = output.size() > 0 && !Text.in(output).startsWith("!");
        if (completed ? effect.status() != EffectStatus.COMPLETED || !Objects.equals(output, effect.result())
                : effect.status() == EffectStatus.COMPLETED || effect.status() == EffectStatus.CANCELLED) {
            wrong(id + " was answered with '" + Text.in(output) + "', but its effect is " + effect);
        }
    }

    private void fits(ActivityRecord operation, Effect effect) {
        String id = operation.key().activity();
        String output = Text.in(operation.output());
        boolean dropped = operation.ledger().legTwoEntries() == 0;
        boolean failed = output.startsWith("!");
        EffectStatus status = effect.status();
        if (!dropped && !failed) {
            if (status != EffectStatus.COMPLETED || !Objects.equals(operation.output(), effect.result())) {
                wrong(id + " came to " + output + ", but its effect is " + effect);
            }
        } else if (status == EffectStatus.COMPLETED && operation("~l:" + id) == null) {
            wrong(id + " came to nothing, but its effect is " + effect);
        }
        if (!dropped && status == EffectStatus.CANCELLED) {
            wrong(id + " was not cancelled, but its effect is " + effect);
        }
        boolean fits = unknown(output) == (status == EffectStatus.INDETERMINATE) || aborted(output);
        if (failed && (effect.error() == null || !fits) && !unproven(operation, status)) {
            wrong(id + " failed with " + output + ", but its effect is " + effect);
        }
        if (status == EffectStatus.COMPLETED && outside.times(new Outside.Place(workflowId, id)) == 0) {
            wrong("says that " + id + " has happened, which nobody has seen");
        }
    }

    /** Somebody has ended what nobody could tell: that says nothing about it. */
    private static boolean aborted(String output) {
        return output.contains("pawl:aborted");
    }

    /** Or nobody could tell, and a person has ended it. */
    private static boolean unknown(String output) {
        return output.contains("OutcomeUnknown") || output.contains("Indeterminate") || output.contains("Aborted");
    }

    /** What threw may have happened, unless somebody has looked: only what is reconciled knows better. */
    private static boolean unproven(ActivityRecord operation, EffectStatus status) {
        return status == EffectStatus.INDETERMINATE && !reconciled(operation);
    }

    private static boolean reconciled(ActivityRecord operation) {
        return Text.in(operation.input()).contains("\"guarantee\":\"" + Guarantee.RECONCILED.text() + "\"");
    }
}
