package dev.pawl.engine.flow;

import dev.pawl.kernel.workflow.ActivityRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What a flow has asked a person, as it is recorded.
 *
 * @param operation which operation it is about
 * @param attempt the attempt it is about
 * @param code why it was asked, for programs
 * @param message why it was asked, for people
 */
public record OpenQuestion(String operation, int attempt, String code, String message, Instant since,
        Set<DecisionKind> allowed) {

    /** As the row keeps it. */
    record Kept(String allowed, String asked, int attempt, String code, String kind, String message) {
    }

    public static OpenQuestion of(ActivityRecord hook, Codec codec) {
        Kept kept = Objects.requireNonNull(codec.<Kept>decode(hook.input(), Kept.class));
        Set<DecisionKind> allowed = EnumSet.noneOf(DecisionKind.class);
        Arrays.stream(kept.allowed().split(",", -1)).map(DecisionKind::of).forEach(allowed::add);
        return new OpenQuestion(Journal.about(hook.key().activity()), kept.attempt(), kept.code(), kept.message(),
                Instant.parse(kept.asked()), allowed);
    }
}
