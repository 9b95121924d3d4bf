package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** One workflow as a store loaded it: durable state, read in one piece. The maps are not to be changed. */
public record Snapshot(@Nullable WorkflowRecord workflow, NavigableMap<ActivityKey, ActivityRecord> activityByKey,
        Map<Guid, GuidRecord> guids, Map<ActivityKey, Gate> joins, List<Message.Signal> signals)
        implements WorkflowView {

    /** A workflow that was never started. */
    public static final Snapshot ABSENT =
            new Snapshot(null, Collections.emptyNavigableMap(), Map.of(), Map.of(), List.of());

    @Override
    public @Nullable ActivityRecord activity(ActivityKey key) {
        return activityByKey.get(key);
    }

    @Override
    public Collection<ActivityRecord> activities() {
        return activityByKey.values();
    }

    @Override
    public @Nullable GuidRecord guid(Guid guid) {
        return guids.get(guid);
    }

    @Override
    public @Nullable Gate join(ActivityKey key) {
        return joins.get(key);
    }
}
