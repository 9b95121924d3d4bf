package dev.pawl.testkit.scenario;

import dev.pawl.kernel.collation.Audience;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** What an engine adds to a graph's behaviour: which workflows wait on a topic, a page at a time. */
record Hooked(NavigableMap<WorkflowKey, ? extends WorkflowView> workflows) implements Audience {

    @Override
    public Targets targets(String topic, @Nullable String cursor) {
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
