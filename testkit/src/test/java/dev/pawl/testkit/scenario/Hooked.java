package dev.pawl.testkit.scenario;

import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.Node;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** A graph's behaviour with what an engine adds to it: who waits on a topic, a page at a time. */
record Hooked(Graph graph, NavigableMap<WorkflowKey, ? extends WorkflowView> workflows) implements Behaviour {

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        return graph.behaviour().request(view, activity, now);
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        return graph.behaviour().output(view, activity, response);
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        return graph.behaviour().next(view, activity, response);
    }

    @Override
    public Payload result(WorkflowView view) {
        return graph.behaviour().result(view);
    }

    @Override
    public Targets targets(ActivityRecord activity, @Nullable String cursor) {
        String topic = ((Node.SignalAll) graph.node(activity.key().activity())).topic();
        List<WorkflowKey> waiting = workflows.entrySet().stream()
                .filter(entry -> cursor == null || entry.getKey().workflowId().compareTo(cursor) > 0)
                .filter(entry -> waits(entry.getValue(), topic))
                .map(Map.Entry::getKey)
                .limit(Collation.FAN_OUT_MAX + 1L)
                .toList();
        List<WorkflowKey> page = waiting.stream().limit(Collation.FAN_OUT_MAX).toList();
        return new Targets(page.stream().map(key -> new Recipient(Scenario.GROUP, key)).toList(),
                waiting.size() > page.size() ? page.getLast().workflowId() : null);
    }

    private static boolean waits(WorkflowView view, String topic) {
        return view.workflow() != null && !view.workflow().gate().closed() && view.activities().stream()
                .anyMatch(activity -> activity.waker() instanceof Waker.Hook hook && hook.topic().equals(topic));
    }
}
