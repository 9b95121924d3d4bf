package dev.pawl.testkit.scenario;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a scenario has ended, or must end.
 *
 * @param effects what the workflows have sent to one another, as an {@link EffectLog} has it; null if nobody watched
 */
public record Outcome(List<Workflow> workflows, List<Activity> activities, @Nullable List<Effect> effects) {

    public record Workflow(String workflowId, WorkflowStatus status, String output) {
    }

    public record Activity(String workflowId, ActivityKey key, ActivityStatus status, String input, String output) {
    }

    public Outcome {
        workflows = List.copyOf(workflows);
        activities = List.copyOf(activities);
        effects = effects == null ? null : List.copyOf(effects);
    }

    /** Reads it off the workflows of a run; those that were never started are passed over. */
    public static Outcome of(Collection<? extends WorkflowView> views, @Nullable List<Effect> effects) {
        List<Workflow> workflows = new ArrayList<>();
        List<Activity> activities = new ArrayList<>();
        for (WorkflowView view : views) {
            WorkflowRecord row = view.workflow();
            if (row != null) {
                String id = row.key().workflowId();
                workflows.add(new Workflow(id, row.status(), Text.in(row.output())));
                view.activities().forEach(activity -> activities.add(of(id, activity)));
            }
        }
        return new Outcome(workflows, activities, effects);
    }

    private static Activity of(String workflowId, ActivityRecord activity) {
        return new Activity(workflowId, activity.key(), activity.status(), Text.in(activity.input()),
                Text.in(activity.output()));
    }
}
