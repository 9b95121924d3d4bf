package dev.pawl.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the code has been further than a place: by what is recorded after it, and not by what runs beside it. */
class JournalTest {

    @ParameterizedTest
    @CsvSource(value = {
        "'', n, true", "'', n after, false", "'', n all.0:after, false", "'', n shielded:after, false",
        "all.0:, all.0:n, true", "all.0:, all.0:n all.0:after, false", "all.0:, all.0:n all.1:beside, true",
        "all.0:, all.0:n all.10:beside, true", "all.0:, all.0:n after, false", "all.0:, all.0:n all~2.0:after, false",
        "all.0:shielded:, all.0:shielded:n all.0:after, false", "all.0:shielded:, all.0:shielded:n all.1:beside, true",
        "all.0:race.1:, all.0:race.1:n all.0:race.0:beside all.1:beside, true",
        "all.0:race.1:, all.0:race.1:n all.0:all.0:after, false", "'', n ~own:after, true"})
    void whatIsRecordedAfterABranchSaysThatTheCodeHasBeenFurther(String scope, String recorded, boolean nothing) {
        Journal journal = new Journal(Stream.of(recorded.split(" ", -1))
                .map(id -> ActivityRecord.entered(FlowBehaviour.operation(id), ActivityType.HOOK,
                        Payload.EMPTY))
                .toList());
        journal.reach(scope + "n");

        assertThat(journal.nothingAfter(scope)).isEqualTo(nothing);
    }
}
