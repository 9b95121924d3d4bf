package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Edge;
import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.Node;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One workflow in the eyes of the oracle: tokens, how many of them are on their way, and what has come of it. */
final class Run {

    private static final Ending EXPRESSION_FAILED = Ending.failed("", Text.of("\"ExpressionFailed\""));

    final Oracle world;
    final Graph graph;
    final String id;
    final Payload input;
    final Oracle.@Nullable Parent parent;
    final Places places;
    final Hooks hooks = new Hooks(this);
    final NavigableMap<ActivityKey, Token> tokens = new TreeMap<>();
    private final Map<ActivityKey, List<Token>> arrivals = new TreeMap<>();
    private final Map<ActivityKey, Integer> rounds = new HashMap<>();
    private int open = 1;
    private WorkflowStatus status = WorkflowStatus.RUNNING;
    private Payload output = Payload.EMPTY;

    Run(Oracle world, Graph graph, String id, Payload input, Oracle.@Nullable Parent parent) {
        this.world = world;
        this.graph = graph;
        this.id = id;
        this.input = input;
        this.parent = parent;
        this.places = new Places(graph);
    }

    ActivityKey trigger() {
        return new ActivityKey(graph.trigger(), new DimensionalAddress(",0"));
    }

    Outcome.Workflow end() {
        return new Outcome.Workflow(id, status, Text.in(output));
    }

    /** Does something later, unless the workflow is closed by then. */
    void soon(Runnable step) {
        world.soon(() -> ifOpen(step));
    }

    void ifOpen(Runnable step) {
        if (status == WorkflowStatus.RUNNING) {
            step.run();
        }
    }

    void begin() {
        Token token = new Token(trigger(), List.of(), input);
        tokens.put(token.key, token);
        if (parent != null && !parent.awaitsResult()) {
            parent.answer(id, new Response.Final(Text.of('"' + id + '"')));
        }
        pass(token);
    }

    /** An activity is done: its token leaves it for the next. */
    void finish(Token token, Response response) {
        token.output = response.payload();
        token.status = ActivityStatus.FINISHED;
        follow(token, response);
    }

    /** An activity has done its work, and may be entered again. */
    void pass(Token token) {
        token.status = ActivityStatus.PASSED;
        follow(token, new Response.Final(token.input));
    }

    /** Another round: the pivot passes once more, one plane further. */
    void reenter(ActivityKey pivot, Payload roundInput) {
        ActivityKey key = Places.inPlane(pivot, rounds.merge(pivot, 1, Integer::sum));
        Token token = new Token(key, Objects.requireNonNull(tokens.get(pivot)).before, roundInput);
        token.output = roundInput;
        tokens.put(token.key, token);
        pass(token);
    }

    private void follow(Token here, Response response) {
        boolean failed = response instanceof Response.Failure;
        List<Edge> ways = graph.from(here.key.activity()).stream().filter(way -> way.onFailure() == failed).toList();
        if (failed && ways.isEmpty()) {
            close(Ending.failed("", response.payload()));
            return;
        }
        Map<Token, Runnable> children = new LinkedHashMap<>();
        try {
            for (Edge way : ways) {
                if (way.condition() == null || way.condition().test(new Seen(this, here, false))) {
                    arrive(here, places.below(here.key, way.to()), children);
                }
            }
        } catch (RuntimeException e) {
            close(EXPRESSION_FAILED);
            return;
        }
        children.keySet().forEach(token -> tokens.put(token.key, token));
        children.values().forEach(this::soon);
        open += children.size() - 1;
        if (open == 0) {
            complete();
        }
    }

    /** All of those that lead to a place must have come; then it is given its input and does what its node says. */
    private void arrive(Token here, ActivityKey key, Map<Token, Runnable> children) {
        Node node = graph.node(key.activity());
        List<Token> arrived = arrivals.computeIfAbsent(key, first -> new ArrayList<>());
        arrived.add(here);
        if (arrived.size() == graph.into(node.name()).size()) {
            Token bare = new Token(key, arrived, Payload.EMPTY);
            Payload given = graph.input(node.name()).apply(new Seen(this, bare, false));
            Token token = new Token(key, arrived, given);
            children.put(token, new Doing(this, token).what(node));
        }
    }

    private void complete() {
        // A place that only some of its branches have reached will never be run: the work is not done.
        if (arrivals.entrySet().stream()
                .anyMatch(place -> place.getValue().size() < graph.into(place.getKey().activity()).size())) {
            close(WorkflowStatus.FAILED, Payload.EMPTY);
            return;
        }
        try {
            Token trigger = new Token(trigger(), List.of(), input);
            Payload result = graph.result().isPresent()
                    ? graph.result().get().apply(new Seen(this, trigger, true))
                    : answersOfLeaves();
            close(WorkflowStatus.COMPLETED, result);
        } catch (RuntimeException e) {
            close(EXPRESSION_FAILED);
        }
    }

    private Payload answersOfLeaves() {
        return Text.of(tokens.values().stream()
                .filter(token -> graph.from(token.key.activity()).isEmpty())
                .filter(token -> !(graph.node(token.key.activity()) instanceof Node.Cycle))
                .filter(token -> !token.key.equals(trigger()))
                .map(token -> token.key + "=" + Text.in(token.output))
                .collect(Collectors.joining("\n")));
    }

    /** The end before its time, for this workflow and, if it descends, for those it has started. */
    void close(Ending ending) {
        if (ending.descend()) {
            tokens.values().stream().map(token -> token.child).forEach(child -> {
                if (child != null) {
                    world.sent(Effect.interrupt(id, child, ending));
                    world.interrupt(child, ending);
                }
            });
        }
        close(after(ending.event()), ending.error());
    }

    private void close(WorkflowStatus closed, Payload result) {
        status = closed;
        output = result;
        if (parent != null && parent.awaitsResult()) {
            boolean completed = closed == WorkflowStatus.COMPLETED;
            parent.answer(id, completed ? new Response.Final(result) : new Response.Failure(result));
        }
    }

    private static WorkflowStatus after(WorkflowEvent event) {
        return switch (event) {
            case INTERRUPT -> WorkflowStatus.INTERRUPTED;
            case CANCEL -> WorkflowStatus.CANCELLED;
            case FAIL -> WorkflowStatus.FAILED;
            case PAUSE, RESUME, PARK, COMPLETE, CONTINUE_AS_NEW ->
                throw new IllegalArgumentException("not an end: " + event);
        };
    }
}
