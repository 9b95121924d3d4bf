package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.DONE;
import static dev.pawl.kernel.collation.Workbench.NOW;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** DESIGN.md 5, batches: the messages of one workflow run in order before the first of them is durable. */
class BatchTest {

    private final Workbench bench = new Workbench().activity("a", task()).activity("b", task()).activity("c", task());

    @Test
    void onlyTheMessageThatReallyClosesIsPredictedToClose() {
        bench.start("a", "b", "c");
        bench.drain();
        Overlay overlay = new Overlay(bench.state);
        List<Bundle> batch = new ArrayList<>();
        for (Message answer : answers()) {
            Bundle bundle = Collation.transition(overlay, Delivery.inbox(1, answer), bench, NOW).bundle();
            overlay.apply(bundle);
            batch.add(bundle);
        }

        assertThat(batch).extracting(Bundle::expectedVersion).containsExactly(4L, 5L, 6L);
        assertThat(
                batch.stream().flatMap(bundle -> bundle.writes().stream()).filter(Write.MoveSemaphore.class::isInstance)
                        .map(write -> ((Write.MoveSemaphore) write).predictedHit()))
                .containsExactly(false, false, true);
        assertThat(overlay.started().gate().closedBy(answers().getLast().guid())).isTrue();
    }

    @Test
    void discardedOverlayLeavesTheViewBelowAsItWas() {
        bench.start("a", "b", "c");
        bench.drain();
        Snapshot before = frozen(bench.state);
        Overlay overlay = new Overlay(bench.state);
        answers().forEach(answer -> overlay.apply(
                Collation.transition(overlay, Delivery.inbox(1, answer), bench, NOW).bundle()));

        assertThat(frozen(bench.state)).isEqualTo(before);
    }

    @Test
    void wholeWorkflowCanRunInOneBatch() {
        Workbench fast = new Workbench().activity("a", new Request.Pass(false), "b")
                .activity("b", new Request.Pass(false));
        Overlay overlay = new Overlay(Snapshot.ABSENT);
        fast.activity("trigger", task(), "a");
        List<Delivery> queue = new ArrayList<>(List.of(Delivery.inbox(1, Workbench.startMessage(0, null))));
        int commits = 0;
        while (!queue.isEmpty()) {
            Bundle bundle = Collation.transition(overlay, queue.removeFirst(), fast, NOW).bundle();
            overlay.apply(bundle);
            bundle.writes().stream().filter(Write.Enqueue.class::isInstance).map(Write.Enqueue.class::cast)
                    .forEach(write -> queue.add(Delivery.queued(write.number(), write.message())));
            commits++;
        }

        assertThat(commits).isEqualTo(3);
        assertThat(overlay.started().gate().closed()).isTrue();
        assertThat(overlay.started().messages()).isEqualTo(2);
    }

    private List<Message> answers() {
        return Stream.of("a", "b", "c").<Message>map(name -> bench.answer(at(name, ",0,0"), 1, DONE)).toList();
    }

    private static Snapshot frozen(Overlay overlay) {
        NavigableMap<ActivityKey, ActivityRecord> activities = new TreeMap<>();
        overlay.activities().forEach(activity -> activities.put(activity.key(), activity));
        return new Snapshot(overlay.started(), activities, Map.of(), Map.of(),
                List.copyOf(overlay.signals()));
    }
}
