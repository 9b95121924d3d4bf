package dev.pawl.engine.graph;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.util.Optional;
import java.util.function.Function;

/**
 * Data read off the rows of a workflow.
 *
 * @param others finds the activity of a name that can be seen from here
 */
record ViewData(WorkflowRecord workflow, ActivityRecord here, Function<String, Optional<ActivityRecord>> others)
        implements Data {

    /** What an activity sees: itself and those that led to it. */
    static Data at(ActivityRecord here, Graph graph, WorkflowView view) {
        String own = here.key().activity();
        return new ViewData(started(view), here, name -> {
            if (name.equals(own)) {
                return Optional.of(here);
            }
            if (!graph.leads(name, own)) {
                throw new IllegalArgumentException("'" + name + "' does not come before it");
            }
            return led(name, graph.commonDepth(name, own), here.key().address(), graph, view);
        });
    }

    /**
     * The activity of a name on the way to an address. Where a join has left the planes of a branch, it is the latest one:
     * the rounds of a branch that has come to its join are over.
     */
    private static Optional<ActivityRecord> led(String name, int common, DimensionalAddress address, Graph graph,
            WorkflowView view) {
        if (common == graph.depth(name)) {
            return Optional.ofNullable(view.activity(new ActivityKey(name, address.prefix(common))));
        }
        return view.activities().stream()
                .filter(other -> other.key().activity().equals(name)
                        && other.key().address().prefix(common).equals(address.prefix(common)))
                .reduce((earlier, later) -> later);
    }

    /** What the end sees: everything, and the latest of each name. */
    static Data atEnd(Graph graph, WorkflowView view) {
        WorkflowRecord workflow = started(view);
        ActivityRecord trigger = ActivityRecord.trigger(workflow.trigger(), workflow.beginning().input());
        return new ViewData(workflow, trigger, name -> view.activities().stream()
                .filter(activity -> activity.key().activity().equals(graph.node(name).name()))
                .reduce((earlier, later) -> later));
    }

    static WorkflowRecord started(WorkflowView view) {
        WorkflowRecord workflow = view.workflow();
        if (workflow == null) {
            throw new IllegalArgumentException("a definition is asked about workflows that exist");
        }
        return workflow;
    }

    @Override
    public Recipient self() {
        return new Recipient(workflow.beginning().group(), workflow.key());
    }

    @Override
    public Recipient parent() {
        Origin origin = workflow.beginning().origin();
        if (origin == null) {
            throw new IllegalStateException("no workflow started " + workflow.key());
        }
        return origin.parent();
    }

    @Override
    public ActivityKey activity() {
        return here.key();
    }

    @Override
    public Payload workflowInput() {
        return workflow.beginning().input();
    }

    @Override
    public Payload input() {
        return here.input();
    }

    @Override
    public Payload output() {
        // A trigger answers nothing of its own: what it hands on is what it got.
        return here.type() == ActivityType.TRIGGER ? here.input() : here.output();
    }

    @Override
    public Payload output(String activity) {
        return others.apply(activity)
                .map(other -> new ViewData(workflow, other, others).output())
                .orElse(Payload.EMPTY);
    }
}
