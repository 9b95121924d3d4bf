package dev.pawl.engine.flow;

import java.lang.System.Logger;

/** Takes back what a flow has done, in steps that a cancellation does not reach. */
final class Undoing {

    private static final String PATH = Journal.OWN + "undo:";

    private final Scope scope;
    private final Rollbacks rollbacks;

    Undoing(Scope outer) {
        this.scope = outer.shielded(PATH);
        this.rollbacks = outer.rollbacks();
    }

    /** Everything that has to be taken back, the last first. What cannot be taken back is recorded, and the rest goes on. */
    void all() {
        rollbacks.run((id, undo) -> {
            switch (undo) {
                case Rollbacks.Reversal reversal -> one(id, reversal.effect());
                case Rollbacks.Ending ending -> ending.child().end(scope);
            }
        });
    }

    /** One operation; false if that could not be done. */
    boolean one(String id, FlowContext.Effect effect) {
        String undo = PATH + id;
        try {
            new Activities(scope).step(undo, effect);
            return true;
        } catch (OperationFailed e) {
            scope.log().log(Logger.Level.ERROR,
                    "could not take back " + undo + " of " + scope.incarnation().key(), e);
            return false;
        }
    }
}
