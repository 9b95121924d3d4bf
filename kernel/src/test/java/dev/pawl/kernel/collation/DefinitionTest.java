package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.task;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.workflow.ActivityType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a definition may answer, and what happens when it answers nonsense. */
class DefinitionTest {

    private static final Ending ENDING = Ending.interrupted("stop", false);

    @Test
    void eachRequestHasItsTypeAndCategory() {
        Map<Request, String> table = Map.of(
                task(), "WORKER A",
                new Request.StartChild(other("c"), "d", "1", "t", text(""), true), "AWAIT A",
                new Request.Sleep(Workbench.NOW), "HOOK A",
                new Request.WebHook("topic"), "HOOK A",
                new Request.Pass(false), "HOOK B",
                new Request.SignalOne(other("w"), "topic", text("")), "SIGNAL B",
                new Request.SignalAll("topic", text("")), "SIGNAL B",
                new Request.InterruptAnother(other("w"), ENDING), "INTERRUPT B",
                new Request.InterruptSelf(ENDING), "INTERRUPT C",
                new Request.Cycle("pivot", 2, text("")), "CYCLE C");

        table.forEach((request, expected) -> assertThat(request.type() + " " + request.category())
                .isEqualTo(expected));
    }

    @Test
    void requestOfAnotherTypeThanItsActivityIsRefused() {
        Workbench bench = new Workbench().activity("it", task());
        bench.start("it");
        bench.activity("it", new Request.Pass(false));

        assertThat(bench.activity(at("it", ",0,0")).type()).isEqualTo(ActivityType.WORKER);
        assertThatThrownBy(bench::runNext).isInstanceOf(DefinitionFault.class).hasMessageContaining("it@,0,0");
    }

    @Test
    void definitionThatChangesItsMindBetweenTwoStepsIsRefused() {
        Workbench bench = new Workbench().activity("it", new Request.Pass(false));
        bench.start("it");
        Delivery enter = bench.queue.remove();
        bench.commit(Collation.transition(bench.state, enter, bench, Workbench.NOW).bundle().apart().getFirst());
        bench.activity("it", new Request.WebHook("topic"));

        assertThatThrownBy(() -> bench.run(enter)).isInstanceOf(DefinitionFault.class)
                .hasMessageContaining("otherwise than before");
    }
}
