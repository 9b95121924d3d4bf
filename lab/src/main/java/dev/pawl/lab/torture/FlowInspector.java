package dev.pawl.lab.torture;

import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.lab.torture.effect.EffectFlow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Goes through everything a store holds of tortured flows when all of them should be over. Not thread-safe. */
final class FlowInspector {

    private static final int PAGE = 200;

    private final Store store;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, String> results = new TreeMap<>();
    private long versions;

    FlowInspector(Store store) {
        this.store = store;
    }

    private static Stream<ShardId> shards(Store store) {
        return store.leases(FlowSettings.NAMESPACE, FlowSettings.GROUP).stream().map(lease -> lease.shard());
    }

    /** Whether no workflow is open, and no message left. */
    static boolean finished(Store store) {
        try {
            WorkflowQuery open = WorkflowQuery.all(FlowSettings.NAMESPACE).inStatus(WorkflowStatus.RUNNING);
            return store.workflows(open, null, 1).items().isEmpty() && shards(store).allMatch(
                    shard -> store.inbox(shard, 1).isEmpty() && store.queue(shard, null, 1).isEmpty());
        } catch (StoreException e) {
            return false;
        }
    }

    /** P1 to P4 of every workflow, P8, and that nothing is lost that was acknowledged. */
    List<String> inspect(Set<Integer> acknowledged) {
        @Nullable String cursor = null;
        do {
            Page<WorkflowRecord> page = store.workflows(WorkflowQuery.all(FlowSettings.NAMESPACE), cursor, PAGE);
            page.items().forEach(this::inspect);
            cursor = page.next();
        } while (cursor != null);
        acknowledged.stream().map(EffectFlow::workflow).filter(id -> !results.containsKey(id))
                .forEach(id -> violations.add("P8 " + id + " was started, and has no result"));
        shards(store).forEach(shard -> {
            store.inbox(shard, PAGE).forEach(left -> violations.add("P8 left in the inbox: " + left));
            store.queue(shard, null, PAGE).forEach(left -> violations.add("P8 left in a queue: " + left));
        });
        store.givenUp(FlowSettings.NAMESPACE, null, PAGE).items()
                .forEach(message -> violations.add("P8 given up: " + message.delivery()));
        return violations;
    }

    private void inspect(WorkflowRecord listed) {
        String id = listed.key().workflowId();
        Retelling retelling = Retelling.of(store, store.load(listed.key()));
        violations.addAll(retelling.violations());
        versions += retelling.record.version();
        if (retelling.record.status() == WorkflowStatus.COMPLETED) {
            results.put(id, Objects.toString(
                    JsonMapper.shared().readValue(retelling.record.output().bytes(), String.class), ""));
        } else {
            violations.add("P8 " + id + " is " + retelling.record.status() + ": " + retelling.record.reason());
        }
    }

    /** What each workflow has returned. */
    Map<String, String> results() {
        return results;
    }

    long versions() {
        return versions;
    }
}
