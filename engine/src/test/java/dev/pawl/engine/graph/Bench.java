package dev.pawl.engine.graph;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Audience;
import dev.pawl.kernel.collation.Collation;
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
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One workflow of a graph, driven by the kernel alone: its queue is run dry after every message from outside. */
final class Bench {

    static final Recipient SELF = new Recipient("shop", new WorkflowKey("test", "order-1"));
    static final Recipient PARENT = new Recipient("shop", new WorkflowKey("test", "parent-1"));
    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    final List<Message> posted = new ArrayList<>();
    Audience.Targets targets = new Audience.Targets(List.of(), null);
    Overlay state = new Overlay(Snapshot.ABSENT);
    /** Commits every step alone and runs the message again after each of them, as after a crash. */
    boolean cut;

    private final Graph graph;
    private final Deque<Delivery> queue = new ArrayDeque<>();
    private Instant now = START;
    private long inboxId;

    Bench(Graph graph) {
        this.graph = graph;
    }

    static Payload text(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    static ActivityKey at(String activity, String address) {
        return new ActivityKey(activity, new DimensionalAddress(address));
    }

    Bench start(String input) {
        return start(input, null);
    }

    Bench startByParent(String input) {
        Guid answer = Guid.derive("answer");
        return start(input, new Origin(PARENT, at("await", ",0,0"), answer, true));
    }

    private Bench start(String input, @Nullable Origin origin) {
        return run(new Message.Start(SELF.workflow(), new Message.Beginning(SELF.group(), graph.name(),
                graph.version(), graph.trigger(), 0, text(input), origin)));
    }

    Bench answer(String activity, String address, String output) {
        return respond(activity, address, new Response.Final(text(output)));
    }

    Bench respond(String activity, String address, Response response) {
        return run(Message.Respond.answer(SELF.workflow(), at(activity, address), 1, response));
    }

    Bench childAnswers(String activity, String address, Response response) {
        Guid guid = Guid.ofAnswer(SELF.workflow(), at(activity, address), 1, 0);
        return run(new Message.Respond(SELF.workflow(), guid, at(activity, address), Message.Source.CHILD, response));
    }

    Bench signal(String topic, String id, Response response) {
        return run(new Message.Signal(SELF.workflow(), Guid.ofRequest(SELF.workflow(), topic, id), topic, response));
    }

    /** Jumps to the time the activity sleeps until. */
    Bench wake(String activity, String address) {
        now = ((Waker.Timer) activity(activity, address).waker()).dueAt();
        return run(Message.Respond.wake(SELF.workflow(), at(activity, address), now));
    }

    Bench run(Message message) {
        queue.addFirst(Delivery.inbox(++inboxId, message));
        while (!queue.isEmpty()) {
            step(queue.remove());
        }
        return this;
    }

    private void step(Delivery delivery) {
        List<Bundle> bundles = transition(delivery).apart();
        if (!cut) {
            bundles.forEach(this::commit);
            return;
        }
        for (int steps = bundles.size(); steps > 0; steps--) {
            commit(transition(delivery).apart().getFirst());
        }
    }

    private Bundle transition(Delivery delivery) {
        return Collation.transition(state, delivery, graph.behaviour(), (topic, cursor) -> targets, now).bundle();
    }

    private void commit(Bundle bundle) {
        state.apply(bundle);
        bundle.writes().forEach(write -> {
            if (write instanceof Write.Enqueue enqueue) {
                queue.add(Delivery.queued(enqueue.number(), enqueue.message()));
            } else if (write instanceof Write.Post post) {
                posted.add(post.message());
            }
        });
    }

    ActivityRecord activity(String activity, String address) {
        return state.existing(at(activity, address));
    }

    WorkflowRecord workflow() {
        return state.started();
    }

    String output() {
        return text(workflow().output());
    }

    Stream<String> keys() {
        return state.activities().stream().map(activity -> activity.key().toString());
    }
}
