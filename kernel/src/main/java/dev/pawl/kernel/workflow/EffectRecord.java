package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.WorkflowKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * An effect as it is stored, beside the row of its operation and in the same commits. That row decides what the code of a flow is told;
 * this one says what is known of the outside world.
 *
 * @param version of this layout
 * @param createdAt when it was first declared; never changes
 * @param updatedAt when it was last written
 */
public record EffectRecord(int version, WorkflowKey workflow, Effect effect, Instant createdAt, Instant updatedAt) {

    public static final int VERSION = 1;

    /** To the millisecond, as stores keep it. */
    public EffectRecord {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
        updatedAt = updatedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    public static EffectRecord of(WorkflowKey workflow, Effect effect, Instant now) {
        return new EffectRecord(VERSION, workflow, effect, now, now);
    }

    /** What is stored when this is written over an earlier record of the same effect. */
    public EffectRecord over(EffectRecord earlier) {
        return new EffectRecord(version, workflow, effect, earlier.createdAt, updatedAt);
    }
}
