package dev.pawl.engine.graph;

import static dev.pawl.engine.graph.ExpressionFault.evaluate;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The result of a workflow that has run to its end. */
record Results(Graph graph, WorkflowView view) {

    /** Throws an {@link ExpressionFault} if the graph's own function does not answer. */
    Payload result() {
        return graph.result()
                .map(mapping -> evaluate("graph '" + graph.name() + "'", "result", mapping,
                        ViewData.atEnd(graph, view)))
                .orElseGet(this::answersOfLeaves);
    }

    private Payload answersOfLeaves() {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        ActivityKey closing = closing();
        for (ActivityRecord activity : view.activities()) {
            if (leaf(activity) && (answered(activity) || activity.key().equals(closing))) {
                String key = (lines.size() > 0 ? "\n" : "") + activity.key() + "=";
                lines.writeBytes(key.getBytes(StandardCharsets.UTF_8));
                lines.writeBytes(activity.output().bytes());
            }
        }
        return Payload.of(lines.toByteArray());
    }

    private boolean leaf(ActivityRecord activity) {
        return graph.from(activity.key().activity()).isEmpty() && switch (activity.type()) {
            case TRIGGER, CYCLE -> false;
            case WORKER, AWAIT, HOOK, SIGNAL, INTERRUPT -> true;
        };
    }

    private static boolean answered(ActivityRecord activity) {
        return switch (activity.status()) {
            case FINISHED, PASSED -> true;
            case ENTERED, WAITING -> false;
        };
    }

    /** The activity whose message closed the workflow. It has answered, but finalizes only after the result is made. */
    private @Nullable ActivityKey closing() {
        Guid closer = ViewData.started(view).gate().closedBy();
        GuidRecord known = closer == null ? null : view.guid(closer);
        return known == null ? null : known.activity();
    }
}
