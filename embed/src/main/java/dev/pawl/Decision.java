package dev.pawl;

import dev.pawl.engine.flow.DecisionKind;
import org.jspecify.annotations.Nullable;

/**
 * What a person decides about a {@link Case}.
 *
 * @param result what an operation that has happened came to; of {@code accept} alone
 * @param note why, for people; may be empty
 */
public record Decision(DecisionKind kind, @Nullable Object result, String note) {

    /** It has happened, and came to this. */
    public static Decision accept(@Nullable Object result) {
        return new Decision(DecisionKind.ACCEPT, result, "");
    }

    /** What is recorded holds. */
    public static Decision accept() {
        return accept(null);
    }

    /** It has not happened: it is tried again, unless its workflow is over. */
    public static Decision notDone() {
        return new Decision(DecisionKind.NOT_DONE, null, "");
    }

    /** Whatever has happened is taken back, and the operation fails. */
    public static Decision compensate() {
        return new Decision(DecisionKind.COMPENSATE, null, "");
    }

    /** The workflow fails. */
    public static Decision abort() {
        return new Decision(DecisionKind.ABORT, null, "");
    }

    /** Look once more, or try once more. */
    public static Decision retry() {
        return new Decision(DecisionKind.RETRY, null, "");
    }

    public Decision because(String why) {
        return new Decision(kind, result, why);
    }
}
