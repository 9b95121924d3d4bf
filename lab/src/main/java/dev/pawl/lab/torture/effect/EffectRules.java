package dev.pawl.lab.torture.effect;

import dev.pawl.lab.torture.effect.EffectLog.Effect;
import dev.pawl.lab.torture.effect.FlowPlan.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What must hold of effects when all is over: every operation has come to what one of its effects was, and to no more effects than its
 * level and what was done to the processes allow.
 */
public final class EffectRules {

    private final AttemptRules attempts;
    private final Map<String, ProcessRecord> processes;
    private final Map<String, List<String>> rows;
    private final IntFunction<FlowPlan> plans;
    private final Map<String, List<Attempt>> byPlace = new HashMap<>();
    private final Map<String, List<Effect>> effects;

    /** How many effects there were beyond one, of levels that may have them or, while processes freeze, had to. */
    public record Excess(long atLeastOnce, long reconciled, long calls, long unknown) {

        public static final Excess NONE = new Excess(0, 0, 0, 0);

        public Excess plus(Excess other) {
            return new Excess(atLeastOnce + other.atLeastOnce, reconciled + other.reconciled, calls + other.calls,
                    unknown + other.unknown);
        }

        @Override
        public String toString() {
            return "beyond one: %d at-least-once, %d reconciled (frozen in the middle), %d calls with a known key; %d of unknown outcome"
                    .formatted(atLeastOnce, reconciled, calls, unknown);
        }
    }

    /**
     * Judges what has happened so far.
     *
     * @param rows the transactional effects, by workflow and operation with a blank between them
     */
    public EffectRules(EffectLog log, AttemptRules attempts, Map<String, ProcessRecord> processes,
            Map<String, List<String>> rows, IntFunction<FlowPlan> plans) {
        this.attempts = attempts;
        this.processes = processes;
        this.rows = rows;
        this.plans = plans;
        this.effects = log.effects();
        log.attempts().forEach(each -> byPlace.computeIfAbsent(each.place(), first -> new ArrayList<>()).add(each));
    }

    /**
     * One line for each violation.
     *
     * @param results what each workflow has returned
     */
    public List<String> violations(Map<String, String> results) {
        List<String> violations = new ArrayList<>();
        results.forEach((workflow, result) -> {
            Map<String, String> values = values(result);
            for (Operation operation : plans.apply(EffectFlow.number(workflow)).operations().toList()) {
                String place = workflow + " " + operation.name();
                String value = values.getOrDefault(operation.name(), "");
                String wrong = wrong(place, operation, value, byPlace.getOrDefault(place, List.of()));
                if (!wrong.isEmpty()) {
                    violations.add("effect: " + operation.level() + " " + place + " came to \"" + value + "\": " + wrong
                            + ", attempts " + byPlace.getOrDefault(place, List.of()));
                }
            }
        });
        return violations;
    }

    private static Map<String, String> values(String result) {
        Map<String, String> values = new HashMap<>();
        for (String each : result.split(" ", -1)) {
            int equals = each.indexOf('=');
            values.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return values;
    }

    private String wrong(String place, Operation operation, String value, List<Attempt> runs) {
        if (value.startsWith(EffectFlow.UNKNOWN)) {
            boolean allowed = operation.level() == Level.AT_MOST_ONCE && value.endsWith(":OutcomeUnknown");
            return allowed && lost(runs) ? "" : "P9 its outcome must be known";
        }
        List<String> happened = operation.level().transactional() ? rows.getOrDefault(place, List.of())
                : effects(runs).stream().map(Effect::value).toList();
        if (!happened.contains(value)) {
            return "P9 no effect was that, but " + happened;
        }
        return switch (operation.level()) {
            case STEP, AT_LEAST_ONCE -> "";
            case IDEMPOTENT -> happened.size() == 1 ? "" : "P9 its key has changed, it happened " + happened;
            case AT_MOST_ONCE, ENGINE_TRANSACTION, OWN_TRANSACTION ->
                happened.size() == 1 ? "" : "P2 it happened " + happened;
            case RECONCILED -> happened.size() == 1 || (attempts.frozen() && crossed(effects(runs))) ? ""
                    : "P2 it happened " + happened;
        };
    }

    private List<Effect> effects(List<Attempt> runs) {
        Set<String> keys = new HashSet<>();
        runs.forEach(run -> keys.add(run.key()));
        return keys.stream().flatMap(key -> effects.getOrDefault(key, List.of()).stream()).toList();
    }

    /** No one can know what became of it: its process left it behind, or had lost its lease, or never came to begin it. */
    private boolean lost(List<Attempt> runs) {
        if (attempts.frozen()) {
            return runs.stream().allMatch(attempts::lapsed);
        }
        return !runs.isEmpty() && runs.stream().allMatch(attempts::leftBehind);
    }

    /** Whether each but one was under way when its process was stopped, and acted when it went on: too late for any look. */
    private boolean crossed(List<Effect> all) {
        return all.stream()
                .filter(effect -> process(effect.by()).freezes().stream()
                        .anyMatch(freeze -> effect.by().begunNanos() < freeze.stoppedNanos()
                                && effect.nanos() >= freeze.stoppedNanos()))
                .count() >= all.size() - 1;
    }

    private ProcessRecord process(Attempt run) {
        return Objects.requireNonNull(processes.get(run.process()), run.process());
    }

    /** How much was beyond one and allowed to be. */
    public Excess excess(Map<String, String> results) {
        long unknown = results.values().stream().flatMap(result -> values(result).values().stream())
                .filter(value -> value.startsWith(EffectFlow.UNKNOWN)).count();
        long calls = byPlace.values().stream().filter(runs -> runs.getFirst().level() == Level.IDEMPOTENT)
                .mapToLong(runs -> runs.size() - 1).sum();
        return new Excess(beyond(Level.STEP) + beyond(Level.AT_LEAST_ONCE), beyond(Level.RECONCILED), calls, unknown);
    }

    private long beyond(Level level) {
        return effects.values().stream().filter(all -> all.getFirst().by().level() == level)
                .mapToLong(all -> all.size() - 1).sum();
    }
}
