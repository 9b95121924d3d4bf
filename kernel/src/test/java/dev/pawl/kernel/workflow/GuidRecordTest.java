package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.ledger.GuidLedger;
import org.junit.jupiter.api.Test;

class GuidRecordTest {

    @Test
    void theLedgerIsReplacedAlone() {
        Guid guid = Guid.derive("test");
        ActivityKey activity = ActivityKey.trigger("order");
        GuidLedger later = GuidLedger.parse("000010000000001");

        assertThat(new GuidRecord(guid, activity, GuidLedger.seed(1)).with(later))
                .isEqualTo(new GuidRecord(guid, activity, later));
    }
}
