package dev.pawl.testkit.scenario;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Transition;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario through the kernel in memory, without a store or an engine.
 *
 * <p>With a source of chance, messages come in any order that {@link Scenario} allows, some of them twice, steps are cut
 * off and run again, and the clock jumps at any time.
 */
final class MemoryRun {

    private static final int STEPS_MAX = 200_000;

    private final Scenario scenario;
    private final @Nullable RandomGenerator random;
    private final Lanes lanes;
    private final NavigableMap<WorkflowKey, Overlay> states = new TreeMap<>();
    private final NavigableMap<Instant, List<Message>> timers = new TreeMap<>();
    private final List<ActivityRecord> slow = new ArrayList<>();
    private final List<Message> idle = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    private final EffectLog effects = new EffectLog();
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private long inboxId;

    MemoryRun(Scenario scenario, @Nullable RandomGenerator random) {
        this.scenario = scenario;
        this.random = random;
        this.lanes = new Lanes(random);
    }

    Outcome run() {
        for (Start start : scenario.starts()) {
            Message.Start message = scenario.message(start);
            commit(message.workflow(), Collation.inception(message, now));
            fromOutside(message);
        }
        scenario.stimuli().forEach(this::stimulate);
        for (int steps = 0; somethingToDo(); steps++) {
            if (steps > STEPS_MAX) {
                throw new AssertionError(scenario + " does not end");
            }
            step(lanes.next());
        }
        return Outcome.of(states.values(), effects.effects());
    }

    private void stimulate(Stimulus stimulus) {
        if (random == null && stimulus.moment() == Stimulus.Moment.WHEN_IDLE) {
            idle.add(stimulus.message());
        } else {
            fromOutside(stimulus.message());
        }
    }

    private boolean somethingToDo() {
        if (lanes.isEmpty() && !idle.isEmpty()) {
            idle.forEach(this::fromOutside);
            idle.clear();
        }
        while (!timers.isEmpty() && (lanes.isEmpty() || chance(20))) {
            now = timers.firstKey();
            timers.pollFirstEntry().getValue()
                    .forEach(wake -> lanes.add("timer " + wake.guid(), Delivery.ofRow(wake)));
        }
        return !lanes.isEmpty();
    }

    private void fromOutside(Message message) {
        lanes.add("outside to " + message.workflow(), Delivery.inbox(++inboxId, message));
    }

    private boolean chance(int oneIn) {
        return random != null && random.nextInt(oneIn) == 0;
    }

    private void step(Delivery delivery) {
        WorkflowKey key = delivery.message().workflow();
        Transition transition =
                Collation.transition(state(key), delivery, behaviour(delivery.message()), new Hooked(states), now);
        List<Bundle> parts = transition.bundle().apart();
        int committed = chance(4) ? random.nextInt(parts.size()) : parts.size();
        parts.subList(0, committed).forEach(part -> commit(key, part));
        List.copyOf(slow).forEach(task -> commit(key, Collation.reattempt(state(key), task, now, now)));
        slow.clear();
        // A message that lay nowhere may have got a place in the queue; then it comes from there.
        if (committed < parts.size() || delivery.equals(transition.again())) {
            lanes.again(delivery);
        } else if (chance(8)) {
            lanes.add("duplicate " + ++inboxId, delivery);
        }
    }

    private Overlay state(WorkflowKey key) {
        return states.computeIfAbsent(key, absent -> new Overlay(Snapshot.ABSENT));
    }

    private Behaviour behaviour(Message message) {
        WorkflowRecord workflow = state(message.workflow()).workflow();
        String definition = workflow != null ? workflow.beginning().definition()
                : message instanceof Message.Start start ? start.beginning().definition()
                        : scenario.definitions().getFirst().name();
        return scenario.definition(definition).behaviour();
    }

    private void commit(WorkflowKey key, Bundle bundle) {
        state(key).apply(bundle);
        bundle.writes().forEach(write -> {
            switch (write) {
                case Write.Enqueue enqueue -> lanes.add("queue " + key + " " + enqueue.number(),
                        Delivery.queued(enqueue.number(), enqueue.message()));
                case Write.Post post -> {
                    effects.posted(key, post.message());
                    lanes.add(key + " to " + post.message().workflow(), Delivery.inbox(++inboxId, post.message()));
                }
                case Write.PutActivity put -> wakeLater(key, put.activity());
                default -> {}
            }
        });
    }

    private void wakeLater(WorkflowKey workflow, ActivityRecord activity) {
        ActivityKey key = activity.key();
        switch (activity.waker()) {
            case Waker.Task task when asked.add(workflow + " " + key + " " + task.attempt()) -> {
                Message answer = Message.Respond.answer(workflow, key, task.attempt(),
                        scenario.workers().answer(task.queue(), key, task.input()));
                // One lane for all attempts: an answer that was cut short comes again before the next one to its task.
                lanes.add("answers to " + workflow + " " + key, Delivery.ofRow(answer));
                if (chance(6)) {
                    slow.add(activity);
                }
            }
            case Waker.Timer timer when asked.add(workflow + " " + key) ->
                timers.computeIfAbsent(timer.dueAt(), due -> new ArrayList<>())
                        .add(Message.Respond.wake(workflow, key, timer.dueAt()));
            default -> {}
        }
    }
}
