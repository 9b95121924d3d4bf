package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Message;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One workflow as the kernel reads it: what is durable, or what will be when the commits under way succeed. */
public interface WorkflowView {

    /** The workflow, or null if it was never started. */
    @Nullable WorkflowRecord workflow();

    @Nullable ActivityRecord activity(ActivityKey key);

    /** All activities, in the order of their keys. */
    Collection<ActivityRecord> activities();

    @Nullable GuidRecord guid(Guid guid);

    /** The ledgers of all messages. */
    Map<Guid, GuidRecord> guids();

    /** The gate of a join, or null before its first arrival. */
    @Nullable Gate join(ActivityKey key);

    /** The gates of all joins that have had an arrival. */
    Map<ActivityKey, Gate> joins();

    /** Signals accepted but not yet taken by a hook, oldest first. */
    Collection<Message.Signal> signals();
}
