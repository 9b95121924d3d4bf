package dev.pawl.engine.store;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a person has decided. It never changes.
 *
 * @param caseId what was to be decided, unique in the workflow
 * @param decision in one word
 * @param subject who has decided
 * @param note why, for people; may be empty
 * @param arguments what belongs to the decision, such as a result; may be empty
 */
public record DecisionRecord(WorkflowKey workflow, String caseId, String decision, String subject, String note,
        Instant decidedAt, Payload arguments) {

    /** To the millisecond, as stores keep it. */
    public DecisionRecord {
        decidedAt = decidedAt.truncatedTo(ChronoUnit.MILLIS);
    }
}
