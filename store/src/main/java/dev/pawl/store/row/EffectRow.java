package dev.pawl.store.row;

import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import org.jspecify.annotations.Nullable;

/** What is known of an effect, as columns. */
public final class EffectRow {

    private EffectRow() {
    }

    /** The columns in their order, after those that say whose it is. */
    public static @Nullable Object[] columns(EffectRecord record, Object... place) {
        Effect effect = record.effect();
        @Nullable Object[] own = {effect.key().operationId(), effect.key().activityName(),
            FreeText.column(effect.key().idempotencyKey()), effect.status().text(), effect.result(), effect.error(),
            record.createdAt().toEpochMilli(), record.updatedAt().toEpochMilli()};
        @Nullable Object[] all = new @Nullable Object[place.length + own.length];
        System.arraycopy(place, 0, all, 0, place.length);
        System.arraycopy(own, 0, all, place.length, own.length);
        return all;
    }
}
