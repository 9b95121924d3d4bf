package dev.pawl.testkit.scenario;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.lifecycle.ActivityStatus;
import dev.pawl.kernel.message.Payload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the oracle knows of one activity. */
final class Token {

    final ActivityKey key;
    final List<Token> before;
    final Payload input;
    Payload output = Payload.EMPTY;
    ActivityStatus status = ActivityStatus.ENTERED;
    @Nullable String child;

    /** {@code before} are those that led here; another round of a pivot has those of its first. */
    Token(ActivityKey key, List<Token> before, Payload input) {
        this.key = key;
        this.before = List.copyOf(before);
        this.input = input;
    }

    /** The activity of that name on the way here. */
    Optional<Token> onTheWay(String activity) {
        Set<Token> seen = new HashSet<>();
        Deque<Token> back = new ArrayDeque<>(before);
        while (!back.isEmpty()) {
            Token token = back.remove();
            if (token.key.activity().equals(activity)) {
                return Optional.of(token);
            }
            if (seen.add(token)) {
                back.addAll(token.before);
            }
        }
        return Optional.empty();
    }

    Outcome.Activity end(String workflowId) {
        return new Outcome.Activity(workflowId, key, status, Text.in(input), Text.in(output));
    }
}
