package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Fold;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A workflow on the bench: a definition in a few lines, and messages run one by one on an overlay. */
final class Workbench implements Behaviour, Audience {

    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    static final WorkflowKey KEY = new WorkflowKey("test", "order-1");
    static final Payload RESULT = text("result");
    static final Response DONE = new Response.Final(text("done"));
    static final Response MORE = new Response.Pending(text("more"));

    final Deque<Delivery> queue = new ArrayDeque<>();
    final List<Write.Post> posted = new ArrayList<>();
    Overlay state = new Overlay(Snapshot.ABSENT);
    private final Fold fold = new Fold(KEY);
    /** Larger workflows are not compared with their events after every commit. */
    private static final int COMPARED_MAX = 50;
    Instant now = NOW;
    @Nullable Function<@Nullable String, Targets> targets;

    @Nullable Farewell farewell;

    private final Map<String, ActivityKey> heeded = new HashMap<>();
    private final Set<Long> numbers = new HashSet<>();
    private final Map<String, Request> requests = new HashMap<>();
    private final Map<String, Function<Response, Next>> nexts = new HashMap<>();

    static Payload text(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static Request.Task task() {
        return new Request.Task("queue", Payload.EMPTY, NOW.plusSeconds(300));
    }

    static ActivityKey at(String activity, String address) {
        return new ActivityKey(activity, new DimensionalAddress(address));
    }

    /** An activity that asks for this and, answered, goes on to these children. */
    Workbench activity(String name, Request request, String... children) {
        return activity(name, request, response -> spawn(children));
    }

    Workbench activity(String name, Request request, Function<Response, Next> next) {
        requests.put(name, request);
        nexts.put(name, next);
        return this;
    }

    Next spawn(String... children) {
        return new Next.Spawn(Stream.of(children).map(child -> child(child, null)).toList());
    }

    /** Code is asked for at once, as a flow does it. */
    Next.Child child(String name, Next.@Nullable Join join) {
        if (requests.get(name) instanceof Request.Code code) {
            return Next.Child.asking(name, text("for " + name), code);
        }
        return new Next.Child(name, requests.get(name).type(), text("for " + name), join);
    }

    Transition start(String... children) {
        return start(0, null, children);
    }

    Transition start(long threshold, @Nullable Origin origin, String... children) {
        nexts.put("trigger", response -> spawn(children));
        return run(startMessage(threshold, origin));
    }

    static Message.Start startMessage(long threshold, @Nullable Origin origin) {
        return new Message.Start(KEY,
                new Message.Beginning("shop", "checkout", "1", "trigger", threshold, text("order"), origin));
    }

    static Recipient other(String workflowId) {
        return new Recipient("shop", new WorkflowKey("test", workflowId));
    }

    /** A message from outside. */
    Transition run(Message message) {
        return run(Delivery.ofRow(message));
    }

    Transition run(Delivery delivery) {
        Transition transition = Collation.transition(state, delivery, this, this, now);
        commit(transition.bundle());
        return transition;
    }

    Transition runNext() {
        return run(queue.remove());
    }

    /** Runs the queue until it is empty. */
    Workbench drain() {
        while (!queue.isEmpty()) {
            runNext();
        }
        return this;
    }

    void commit(Bundle bundle) {
        boolean untouched = state.activities().size() < COMPARED_MAX && fold.snapshot().equals(state.snapshot());
        state.apply(bundle);
        if (untouched) {
            requireSameByItsEvents(bundle);
        }
        bundle.writes().forEach(write -> {
            if (write instanceof Write.Enqueue enqueue) {
                if (!numbers.add(enqueue.number())) {
                    throw new AssertionError("two messages have the number " + enqueue.number());
                }
                queue.add(Delivery.queued(enqueue.number(), enqueue.message()));
            } else if (write instanceof Write.Post post) {
                posted.add(post);
            }
        });
    }

    /** The state is what its events say, unless a test has changed it by hand. */
    private void requireSameByItsEvents(Bundle bundle) {
        Seal seal = bundle.seal();
        if (seal != null) {
            fold.add(seal.entry());
            if (!fold.snapshot().equals(state.snapshot())) {
                throw new AssertionError("by its events the workflow is\n" + fold.snapshot() + "\nand not\n"
                        + state.snapshot() + "\nafter " + seal.event().json());
            }
        }
    }

    Message.Respond answer(ActivityKey activity, int attempt, Response response) {
        return Message.Respond.answer(KEY, activity, attempt, response);
    }

    static Message.Signal signal(String topic, String id, Response response) {
        return new Message.Signal(KEY, Guid.ofRequest(KEY, topic, id), topic, response);
    }

    ActivityRecord activity(ActivityKey key) {
        return state.existing(key);
    }

    String ledger(ActivityKey key) {
        return activity(key).ledger().toString();
    }

    String ledger(Message message) {
        return state.known(message.guid()).ledger().toString();
    }

    long semaphore() {
        return state.started().gate().semaphore().open();
    }

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        return requests.get(activity.key().activity());
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        return nexts.get(activity.key().activity()).apply(response);
    }

    @Override
    public Payload result(WorkflowView view) {
        return RESULT;
    }

    /** Code of a flow that has to hear of signals on a topic. */
    Workbench heeding(String topic, ActivityKey flow) {
        heeded.put(topic, flow);
        return this;
    }

    @Override
    public @Nullable ActivityKey heeds(String topic) {
        return heeded.get(topic);
    }

    /** Of every other one. */
    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        return farewell == null || activity.key().activity().endsWith("1") ? null : farewell;
    }

    @Override
    public Targets targets(String topic, @Nullable String cursor) {
        return targets == null ? new Targets(List.of(), null) : targets.apply(cursor);
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        return response.payload();
    }
}
