package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import java.lang.reflect.Type;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of an operation whose outcome nobody knows, once a person has decided. */
final class Deciding<T extends @Nullable Object> {

    /** The code of an operation that a person has had taken back. */
    static final String COMPENSATED = "Compensated";

    private final Scope scope;
    private final Undecided<T> operation;
    private final String id;
    private final Type type;
    private final boolean verifiable;
    private final Rollbacks.@Nullable Reversal compensation;
    private final Questions questions;

    /** An operation that waits for a decision, and what can become of it. */
    interface Undecided<T extends @Nullable Object> {

        /** It has happened, and came to this. */
        T finished(int attempt, T value);

        /** It may have happened or not, and fails. */
        OperationFailed failed(int attempt, Results.Failure failure);

        /** It has not happened, and is tried again. */
        T next(int attempt, int failures, @Nullable Effect recorded);

        /** What the outside world says. */
        Verified<T> look(int attempt, @Nullable Effect recorded);

        /** What follows from that, unless it has not happened. */
        T reconciled(int attempt, int failures, Verified<T> verified, Results.@Nullable Failure before);
    }

    Deciding(Scope scope, Undecided<T> operation, String id, Type type, boolean verifiable,
            Rollbacks.@Nullable Reversal compensation) {
        this.scope = scope;
        this.operation = operation;
        this.id = id;
        this.type = type;
        this.verifiable = verifiable;
        this.compensation = compensation;
        this.questions = new Questions(scope, Questions.UNKNOWN, id);
    }

    /** Whether somebody was asked about this attempt: then it is for him to say what became of it. */
    boolean asked(int attempt) {
        int last = questions.last();
        return last > 0 && questions.attempt(last) == attempt;
    }

    /** Goes on where the last question was asked. */
    T resume(int attempt, int failures) {
        int last = questions.last();
        return decided(attempt, failures, last, questions.again(last));
    }

    T ask(int attempt, int failures, Results.Failure why) {
        int next = questions.last() + 1;
        return decided(attempt, failures, next, questions.ask(next, attempt, why, allowed()));
    }

    private Set<DecisionKind> allowed() {
        Set<DecisionKind> allowed = EnumSet.of(DecisionKind.ACCEPT, DecisionKind.NOT_DONE, DecisionKind.ABORT);
        if (compensation != null) {
            allowed.add(DecisionKind.COMPENSATE);
        }
        if (verifiable) {
            allowed.add(DecisionKind.RETRY);
        }
        return allowed;
    }

    private T decided(int attempt, int failures, int question, Questions.Answer answer) {
        return switch (answer.kind()) {
            case ACCEPT -> accept(attempt, failures, question, answer);
            case NOT_DONE -> tryAgain(attempt, failures, question, answer);
            case RETRY -> lookAgain(attempt, failures, question, answer);
            case COMPENSATE -> throw compensated(attempt, question, answer);
            case ABORT -> {
                take(question, answer);
                operation.failed(attempt, new Results.Failure(Aborted.CODE, answer.by(), "Aborted"));
                throw new Aborted("Aborted", id + " was aborted " + answer.by());
            }
        };
    }

    private void take(int question, Questions.Answer answer) {
        scope.hold(questions.taken(question, answer));
    }

    private T accept(int attempt, int failures, int question, Questions.Answer answer) {
        T value;
        try {
            value = scope.read(Objects.requireNonNullElse(answer.result(), Payload.EMPTY), type);
        } catch (PayloadError e) {
            take(question, answer);
            return ask(attempt, failures, new Results.Failure("DecisionUnusable",
                    "what was accepted is not what the operation comes to: " + e.getMessage(), "DecisionUnusable"));
        }
        take(question, answer);
        return operation.finished(attempt, value);
    }

    private T tryAgain(int attempt, int failures, int question, Questions.Answer answer) {
        take(question, answer);
        return operation.next(attempt, failures, null);
    }

    /** Looking changes nothing, so it may be done again after a crash. */
    private T lookAgain(int attempt, int failures, int question, Questions.Answer answer) {
        Verified<T> verified = operation.look(attempt, null);
        if (verified instanceof Verified.NotCompleted) {
            return tryAgain(attempt, failures, question, answer);
        }
        take(question, answer);
        return operation.reconciled(attempt, failures, verified, null);
    }

    private OperationFailed compensated(int attempt, int question, Questions.Answer answer) {
        take(question, answer);
        String how = COMPENSATED;
        String message = "taken back " + answer.by();
        if (compensation == null || !new Compensator(scope).one(id, compensation).isEmpty()) {
            how = "CompensationFailed";
            message = "could not be taken back, as was decided " + answer.by();
        }
        return operation.failed(attempt, new Results.Failure(how, message, how));
    }
}
