package dev.pawl.testkit.contract;

import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A definition in a few lines: what each activity asks for and where it goes, the same for every response. */
final class Sketch implements Behaviour {

    static final String TRIGGER = "trigger";

    private final Map<String, Request> requests = new LinkedHashMap<>();
    private final Map<String, List<Next.Child>> children = new LinkedHashMap<>();

    /** Workers side by side under the trigger. */
    static Sketch ofWorkers(String... names) {
        Sketch sketch = new Sketch();
        for (String name : names) {
            sketch.activity(name, new Request.Task("queue", text("task " + name), ContractWorld.NOW.plusSeconds(300)));
        }
        return sketch.trigger(names);
    }

    static Payload text(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    Sketch activity(String name, Request request, String... next) {
        requests.put(name, request);
        children.put(name, Stream.of(next).map(child -> child(child, null)).toList());
        return this;
    }

    Sketch trigger(String... next) {
        children.put(TRIGGER, Stream.of(next).map(child -> child(child, null)).toList());
        return this;
    }

    /** The last of several activities to finish goes on to this one. */
    Sketch join(String join, int depth, String... branches) {
        for (String branch : branches) {
            children.put(branch, List.of(child(join, new Next.Join(branches.length, 1, depth))));
        }
        return this;
    }

    private Next.Child child(String name, Next.@Nullable Join join) {
        return new Next.Child(name, required(name).type(), text("input of " + name), join);
    }

    private Request required(String name) {
        return Objects.requireNonNull(requests.get(name), name);
    }

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        return required(activity.key().activity());
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        return new Next.Spawn(children.getOrDefault(activity.key().activity(), List.of()));
    }

    @Override
    public Payload result(WorkflowView view) {
        return text("result");
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        return response.payload();
    }

    @Override
    public @Nullable ActivityKey heeds(String topic) {
        return null;
    }

    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        return null;
    }
}
