package dev.pawl.engine.flow;

import dev.pawl.engine.Incidents;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs the compensations of a flow, in a scope that a cancellation does not reach. */
final class Compensator {

    /** What the ids of compensations begin with; the operation that they compensate follows. */
    static final String PATH = Journal.OWN + "undo:";

    /** What the id of the record begins with that opens a case about a compensation; the compensation follows. */
    static final String FAILED = Journal.OWN + "f:";

    private static final String KIND = "failed-compensation";
    private static final int SHOWN_MAX = 5;

    private final Scope scope;
    private final Rollbacks rollbacks;

    /** A compensation that has failed for good. */
    record Failed(String operation, String why) {
    }

    Compensator(Scope outer) {
        this.scope = outer.shielded(PATH);
        this.rollbacks = outer.rollbacks();
    }

    /** Compensates everything, the last first. One that fails is recorded, and the rest goes on; returns those that failed. */
    List<Failed> all() {
        List<Failed> failed = new ArrayList<>();
        rollbacks.run((id, undo) -> {
            switch (undo) {
                case Rollbacks.Reversal reversal -> failed.addAll(one(id, reversal));
                case Rollbacks.Ending ending -> ending.child().end(scope);
            }
        });
        return failed;
    }

    /** Compensates one operation; empty if that was done. */
    List<Failed> one(String id, Rollbacks.Reversal reversal) {
        boolean replayed = ended(PATH + id) || ended(Journal.handOverEnd(PATH + id));
        try {
            reversal.compensation().accept(new Activities(scope));
            return List.of();
        } catch (OperationFailed | Aborted e) {
            // An abort ends the operation it is about. What else has to be compensated still has to be.
            String why = Objects.toString(e.getMessage(), e.getClass().getSimpleName());
            if (e instanceof OperationFailed failed) {
                openCase(PATH + id, failed);
            }
            if (!replayed) {
                scope.runtime().incidents().happened(Incidents.Kind.COMPENSATION_FAILED, Logger.Level.ERROR,
                        "a compensation of " + scope.incarnation().key()
                                + " has failed for good: " + why + "; find out what has happened, and compensate " + id
                                + " by hand");
            }
            return List.of(new Failed(id, why));
        }
    }

    /**
     * Records that a person has to do it, as an effect of which nobody knows whether it has happened: so it is found by whatever lists those.
     * Its own record of its effect, if it has one, says what is proved. One that a person has aborted needs no other.
     */
    private void openCase(String compensation, OperationFailed failed) {
        String id = FAILED + compensation;
        if (scope.recorded(id) == null) {
            Payload error =
                    new Results.Failure(failed.code(), String.valueOf(failed.getMessage()), failed.errorType())
                            .payload();
            Effect open = Effect.declared(new Effect.Key(KIND, id, compensation)).after(EffectStatus.INDETERMINATE,
                    error);
            scope.hold(new Advance.Do(FlowBehaviour.operation(id), Header.of(KIND), Payload.EMPTY,
                    new Request.Pass(false), null, open));
        }
    }

    private boolean ended(String id) {
        ActivityRecord record = scope.recorded(id);
        return record != null && record.ledger().finalized() && Results.isFailure(record.output());
    }

    /** What the failure of the flow says about it; empty if every compensation was done. */
    static String summary(List<Failed> failed) {
        if (failed.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("; ").append(failed.size()).append(failed.size() == 1
                ? " compensation has failed, and must be done by hand: "
                : " compensations have failed, and must be done by hand: ");
        for (int i = 0; i < Math.min(SHOWN_MAX, failed.size()); i++) {
            text.append(i == 0 ? "" : ", ").append(failed.get(i).operation()).append(" (")
                    .append(failed.get(i).why()).append(')');
        }
        return text.append(failed.size() > SHOWN_MAX ? ", …" : "").toString();
    }
}
