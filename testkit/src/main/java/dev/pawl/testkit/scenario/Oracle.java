package dev.pawl.testkit.scenario;

import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says how a scenario ends, from collation.md 20 and 21 alone: tokens that wander through the drawing of a graph, in memory,
 * one after the other, nothing ever going wrong. It shares no code with the kernel, the engine or a store but their values,
 * so that it cannot share their mistakes.
 */
public final class Oracle {

    private static final Payload ID_TAKEN = Text.of("\"WorkflowIdConflict\"");

    private final Scenario scenario;
    private final Map<String, Run> runs = new TreeMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Deque<Runnable> ready = new ArrayDeque<>();
    private final PriorityQueue<Sleeper> sleepers =
            new PriorityQueue<>(Comparator.comparing(Sleeper::due).thenComparingInt(Sleeper::number));
    private Duration now = Duration.ZERO;
    private int slept;

    private record Sleeper(Duration due, int number, Runnable waking) {
    }

    /** An await and the workflow it is in: whom a child answers. */
    record Parent(Run run, Token await, boolean awaitsResult) {

        /** Whoever answers a closed workflow is not heard. */
        void answer(String from, Response response) {
            run.world.sent(Effect.answer(from, run.id, await.key.toString(), response));
            run.soon(() -> run.finish(await, response));
        }
    }

    private Oracle(Scenario scenario) {
        this.scenario = scenario;
    }

    public static Outcome outcome(Scenario scenario) {
        return new Oracle(scenario).run();
    }

    private Outcome run() {
        scenario.starts().forEach(start -> start(start.workflowId(), start.definition(), start.input(), null));
        stimulate(Stimulus.Moment.AT_ONCE);
        drain();
        stimulate(Stimulus.Moment.WHEN_IDLE);
        drain();
        while (!sleepers.isEmpty()) {
            Sleeper next = sleepers.remove();
            now = next.due();
            next.waking().run();
            drain();
        }
        List<Outcome.Workflow> workflows = runs.values().stream().map(Run::end).toList();
        List<Outcome.Activity> activities = runs.values().stream()
                .flatMap(run -> run.tokens.values().stream().map(token -> token.end(run.id))).toList();
        return new Outcome(workflows, activities, effects);
    }

    private void drain() {
        while (!ready.isEmpty()) {
            ready.remove().run();
        }
    }

    private void stimulate(Stimulus.Moment moment) {
        for (Stimulus stimulus : scenario.stimuli()) {
            if (stimulus.moment() == moment) {
                switch (stimulus) {
                    case Stimulus.Signal one -> signal(one.workflowId(), one.signalId(), one.topic(), one.response());
                    case Stimulus.Interrupt one -> interrupt(one.workflowId(), one.ending());
                }
            }
        }
    }

    /** An id belongs to whoever comes first. */
    void start(String id, String definition, Payload input, @Nullable Parent parent) {
        if (!runs.containsKey(id)) {
            Run run = new Run(this, scenario.definition(definition), id, input, parent);
            runs.put(id, run);
            run.begin();
        } else if (parent != null) {
            parent.answer(id, new Response.Failure(ID_TAKEN));
        }
    }

    /** What is sent to a workflow that does not exist is lost. */
    void signal(String id, String signalId, String topic, Response response) {
        Run run = runs.get(id);
        if (run != null) {
            run.soon(() -> run.hooks.signal(signalId, topic, response));
        }
    }

    void signalAll(String sender, String topic, Response response) {
        runs.values().stream().filter(run -> run.hooks.waitOn(topic)).toList()
                .forEach(run -> signal(run.id, sender, topic, response));
    }

    void interrupt(String id, Ending ending) {
        Run run = runs.get(id);
        if (run != null) {
            run.soon(() -> run.close(ending));
        }
    }

    Response work(String queue, Token token) {
        return scenario.workers().answer(queue, token.key, token.input);
    }

    void sent(Effect effect) {
        effects.add(effect);
    }

    void soon(Runnable step) {
        ready.add(step);
    }

    void after(Duration duration, Runnable step) {
        sleepers.add(new Sleeper(now.plus(duration), slept++, step));
    }
}
