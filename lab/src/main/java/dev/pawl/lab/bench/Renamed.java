package dev.pawl.lab.bench;

import dev.pawl.engine.graph.Graph;
import dev.pawl.kernel.collation.Audience;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The behaviour of a scenario's graph when the same scenario runs many times in one namespace: whoever it names has the prefix
 * of its own run.
 *
 * @param workflows those of this run, for signals to all
 */
record Renamed(Graph graph, String group, String prefix, NavigableMap<WorkflowKey, ? extends WorkflowView> workflows)
        implements Behaviour, Audience {

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        Request request = graph.behaviour().request(view, activity, now);
        return switch (request) {
            case Request.StartChild start -> new Request.StartChild(renamed(start.child()), start.definition(),
                    start.definitionVersion(), start.trigger(), start.input(), start.awaitsResult());
            case Request.SignalOne one ->
                new Request.SignalOne(renamed(one.target()), one.topic(), one.payload());
            case Request.InterruptAnother another ->
                new Request.InterruptAnother(renamed(another.target()), another.ending());
            default -> request;
        };
    }

    private Recipient renamed(Recipient recipient) {
        WorkflowKey key = recipient.workflow();
        return key.workflowId().startsWith(prefix)
                ? recipient
                : new Recipient(group, new WorkflowKey(key.namespace(), prefix + key.workflowId()));
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

    /** One page: scenarios with more targets than that are not recorded. */
    @Override
    public Targets targets(String topic, @Nullable String cursor) {
        List<Recipient> waiting = workflows.entrySet().stream()
                .filter(entry -> cursor == null && waits(entry.getValue(), topic))
                .map(entry -> new Recipient(group, entry.getKey()))
                .toList();
        return new Targets(waiting, null);
    }

    private static boolean waits(WorkflowView view, String topic) {
        return view.workflow() != null && !view.workflow().gate().closed() && view.activities().stream()
                .anyMatch(activity -> activity.waker() instanceof Waker.Hook hook && hook.topic().equals(topic));
    }

    @Override
    public @Nullable ActivityKey heeds(String topic) {
        return graph.behaviour().heeds(topic);
    }

    @Override
    public @Nullable Farewell farewell(ActivityRecord activity) {
        return graph.behaviour().farewell(activity);
    }
}
