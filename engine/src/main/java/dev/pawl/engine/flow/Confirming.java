package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the outside world whether it still agrees with what is recorded of an operation, when the code comes to it again.
 *
 * <p>It disagrees if the effect has not happened there, or came to something else. It agrees if it only cannot say any more what the
 * effect came to. A world that cannot be asked, or cannot tell, is no disagreement: nothing fails for good by an outage. But it is no
 * confirmation either, so unless a warning is enough, a person is asked.
 */
final class Confirming<T extends @Nullable Object> {

    /** A verifier may have a bad moment. */
    private static final int LOOKS_MAX = 3;
    private static final Set<DecisionKind> ALLOWED =
            EnumSet.of(DecisionKind.ACCEPT, DecisionKind.RETRY, DecisionKind.ABORT);

    static final String WARNINGS = "ConfirmationReplayWarnTotal";
    static final String HUMAN_REQUIRED = "ReplayVerificationHumanRequired";
    private static final String FAILED = "ReplayVerificationFailed";
    private static final String INDETERMINATE = "ReplayVerificationIndeterminate";

    private final Scope scope;
    private final LocalOperation<T> operation;
    private final String id;
    private final ReplayMode mode;
    private final Questions questions;

    /** What a look has found; {@code disagrees} is null if nobody can tell. */
    private record Finding(@Nullable Boolean disagrees, String why) {
    }

    Confirming(Scope scope, LocalOperation<T> operation, String id, ReplayMode mode) {
        this.scope = scope;
        this.operation = operation;
        this.id = id;
        this.mode = mode;
        this.questions = new Questions(scope, Questions.REPLAY, id);
    }

    /** Returns if the code may go on with what is recorded. */
    void confirm(ActivityRecord done) {
        if (scope.incarnation().readOnly() || Results.isFailure(done.output())) {
            return;
        }
        ActivityRecord failed = scope.recorded(verdict());
        if (failed != null) {
            // Found once, it is so: the world may say something else by now, but the flow has begun to take things back.
            throw new Aborted(FAILED, RecordJson.text(failed.output()));
        }
        int asked = questions.last();
        boolean look = asked == 0 ? !confirmed() : again(asked, questions.again(asked));
        while (look) {
            look = look(done);
        }
    }

    private String verdict() {
        return Journal.OWN + "confirm:" + id;
    }

    private boolean confirmed() {
        Incarnation incarnation = scope.incarnation();
        return incarnation.runtime().confirmations().has(incarnation.shard(), incarnation.key(), id);
    }

    private void keep() {
        Incarnation incarnation = scope.incarnation();
        incarnation.runtime().confirmations().add(incarnation.shard(), incarnation.key(), id);
    }

    /** Returns whether to look again. */
    private boolean look(ActivityRecord done) {
        Finding finding = find(done);
        if (Boolean.FALSE.equals(finding.disagrees())) {
            keep();
            return false;
        }
        if (mode == ReplayMode.WARN) {
            scope.runtime().confirmations().warned();
            scope.log().log(Level.WARNING, id + " of " + scope.incarnation().key() + ": " + finding.why());
            keep();
            return false;
        }
        if (mode == ReplayMode.STRICT && finding.disagrees() != null) {
            scope.hold(new Advance.Do(FlowBehaviour.operation(verdict()), Header.of("confirmation"),
                    RecordJson.of(finding.why()), new Request.Pass(false), null));
            throw new Aborted(FAILED, finding.why());
        }
        int number = questions.last() + 1;
        String code = finding.disagrees() == null ? INDETERMINATE : HUMAN_REQUIRED;
        return again(number, questions.ask(number, 0, new Results.Failure(code, finding.why(), code), ALLOWED));
    }

    private Finding find(ActivityRecord done) {
        Finding finding = new Finding(null, "");
        for (int look = 0; look < LOOKS_MAX && finding.disagrees() == null; look++) {
            finding = switch (operation.ask()) {
                case Verified.NotCompleted<T> not ->
                    new Finding(true, "it is recorded as done, but the outside world has no sign of " + id);
                case Verified.Completed<T> completed -> same(done, completed.result())
                        ? new Finding(false, "")
                        : new Finding(true, "the outside world says that " + id
                                + " came to something else than is recorded");
                case Verified.ResultUnavailable<T> unavailable -> new Finding(false, "");
                case Verified.Indeterminate<T> indeterminate -> new Finding(null, indeterminate.why());
            };
        }
        return finding;
    }

    /** However the codec spells it. */
    private boolean same(ActivityRecord done, @Nullable Object found) {
        return scope.codec().same(done.output(), scope.codec().encode(found));
    }

    private boolean again(int number, Questions.Answer answer) {
        scope.hold(questions.taken(number, answer));
        return switch (answer.kind()) {
            case ACCEPT -> false;
            case RETRY, NOT_DONE, COMPENSATE -> true;
            case ABORT -> throw new Aborted(HUMAN_REQUIRED, id + " was aborted " + answer.by());
        };
    }
}
