package dev.pawl.engine.flow;

import dev.pawl.kernel.workflow.ActivityRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
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

    public static OpenQuestion of(ActivityRecord hook) {
        Map<String, String> kept = RecordJson.members(hook.input());
        Set<DecisionKind> allowed = EnumSet.noneOf(DecisionKind.class);
        Arrays.stream(said(kept, "allowed").split(",", -1)).map(DecisionKind::of).forEach(allowed::add);
        return new OpenQuestion(Journal.about(hook.key().activity()),
                Integer.parseInt(Objects.requireNonNull(kept.get("attempt"))), said(kept, "code"),
                said(kept, "message"), Instant.parse(said(kept, "asked")), allowed);
    }

    private static String said(Map<String, String> kept, String name) {
        return Objects.requireNonNull(RecordJson.text(kept, name), name);
    }
}
