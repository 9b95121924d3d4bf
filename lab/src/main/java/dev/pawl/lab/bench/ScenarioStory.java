package dev.pawl.lab.bench;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Transition;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A scenario on its way through the kernel, under names of its own. What comes from outside comes as it does within a process:
 * without a place in an inbox, so that every bundle can be recorded before there is a store.
 */
final class ScenarioStory implements Story {

    private final Scenario scenario;
    private final String group;
    private final String prefix;
    private final LongSupplier inboxIds;
    private final NavigableMap<WorkflowKey, Overlay> states = new TreeMap<>();
    private final Deque<Coming> coming = new ArrayDeque<>();
    private final NavigableMap<Instant, List<Message>> timers = new TreeMap<>();
    private final List<Message> idle = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    private Instant now;

    /** A message on its way. What lies in an inbox is seen when the batch that put it there is durable. */
    private record Coming(Delivery delivery, long notBefore) {
    }

    /**
     * A story that has not begun.
     *
     * @param prefix of the id of every workflow in it
     * @param inboxIds the numbers that a store will give to what is posted, in the order of the recording
     */
    ScenarioStory(Scenario scenario, String group, String prefix, LongSupplier inboxIds, Instant now) {
        this.scenario = scenario;
        this.group = group;
        this.prefix = prefix;
        this.inboxIds = inboxIds;
        this.now = now;
        scenario.starts().forEach(start -> come(Delivery.ofRow(message(start)), 0));
        scenario.stimuli().forEach(this::stimulate);
    }

    private Message.Start message(Start start) {
        Message.Beginning beginning = scenario.message(start).beginning();
        return new Message.Start(key(start.workflowId()),
                new Message.Beginning(group, beginning.definition(), beginning.definitionVersion(),
                        beginning.trigger(), beginning.threshold(), beginning.input(), null));
    }

    private WorkflowKey key(String workflowId) {
        return new WorkflowKey(Scenario.NAMESPACE, prefix + workflowId);
    }

    private void stimulate(Stimulus stimulus) {
        WorkflowKey key = key(stimulus.workflowId());
        Message message = switch (stimulus) {
            case Stimulus.Signal signal -> new Message.Signal(key,
                    Guid.ofRequest(key, signal.topic(), signal.signalId()), signal.topic(), signal.response());
            case Stimulus.Interrupt interrupt ->
                new Message.Interrupt(key, Guid.ofRequest(key, "interrupt", "outside"), interrupt.ending());
        };
        if (stimulus.moment() == Stimulus.Moment.WHEN_IDLE) {
            idle.add(message);
        } else {
            come(Delivery.ofRow(message), 0);
        }
    }

    private void come(Delivery delivery, long notBefore) {
        coming.addLast(new Coming(delivery, notBefore));
    }

    @Override
    public boolean over() {
        if (coming.isEmpty() && !idle.isEmpty()) {
            idle.forEach(message -> come(Delivery.ofRow(message), 0));
            idle.clear();
        }
        while (coming.isEmpty() && !timers.isEmpty()) {
            now = timers.firstKey();
            timers.pollFirstEntry().getValue().forEach(wake -> come(Delivery.ofRow(wake), 0));
        }
        return coming.isEmpty();
    }

    @Override
    public boolean ready(long position) {
        return coming.getFirst().notBefore() <= position;
    }

    @Override
    public Bundle next(long position) {
        Delivery delivery = coming.removeFirst().delivery();
        Message message = delivery.message();
        Overlay state = state(message.workflow());
        Renamed behaviour = behaviour(message);
        Transition transition = Collation.transition(state, delivery, behaviour, behaviour, now);
        Bundle bundle = transition.bundle();
        state.apply(bundle);
        bundle.writes().forEach(write -> follow(message.workflow(), write, position));
        // A message that lay nowhere may have got a place in the queue; then it comes from there.
        if (delivery.equals(transition.again())) {
            coming.addFirst(new Coming(delivery, 0));
        }
        return bundle;
    }

    private Overlay state(WorkflowKey key) {
        return states.computeIfAbsent(key, absent -> new Overlay(Snapshot.ABSENT));
    }

    private Renamed behaviour(Message message) {
        WorkflowRecord workflow = state(message.workflow()).workflow();
        String definition = workflow != null ? workflow.beginning().definition()
                : message instanceof Message.Start start ? start.beginning().definition()
                        : scenario.definitions().getFirst().name();
        return new Renamed(scenario.definition(definition), group, prefix, states);
    }

    private void follow(WorkflowKey key, Write write, long position) {
        switch (write) {
            case Write.Enqueue enqueue -> come(Delivery.queued(enqueue.number(), enqueue.message()), 0);
            case Write.Post post -> come(Delivery.inbox(inboxIds.getAsLong(), post.message()),
                    position + Recording.BATCH_MAX);
            case Write.PutActivity put -> wakeLater(key, put.activity());
            default -> {}
        }
    }

    private void wakeLater(WorkflowKey workflow, ActivityRecord activity) {
        ActivityKey key = activity.key();
        switch (activity.waker()) {
            case Waker.Task task when asked.add(workflow + " " + key + " " + task.attempt()) ->
                come(Delivery.ofRow(Message.Respond.answer(workflow, key, task.attempt(),
                        scenario.workers().answer(task.queue(), key, task.input()))), 0);
            case Waker.Timer timer when asked.add(workflow + " " + key) ->
                timers.computeIfAbsent(timer.dueAt(), due -> new ArrayList<>())
                        .add(Message.Respond.wake(workflow, key, timer.dueAt()));
            default -> {}
        }
    }
}
