package dev.pawl;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a {@link Case}; null where nothing is. Never a payload.
 *
 * @param operation the operation of the flow, or the kind of the message
 * @param activity the activity's name
 * @param guarantee what was promised of it
 * @param key by which the outside world knows the effect
 * @param attempts how often it was tried, as far as is known
 * @param code why it is here, for programs
 * @param message why it is here, for people
 * @param since when it came here
 * @param lastEvent the number of the workflow's last event
 */
public record Evidence(@Nullable String operation, @Nullable String activity, @Nullable String guarantee,
        @Nullable String key, int attempts, String code, String message, @Nullable Instant since, long lastEvent) {
}
