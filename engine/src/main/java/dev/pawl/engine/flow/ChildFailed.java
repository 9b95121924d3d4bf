package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/** A workflow that was waited for has not completed. Its cause is what that one has failed with, as far as that was recorded. */
public final class ChildFailed extends OperationFailed {

    private static final long serialVersionUID = 1L;

    private final String workflowId;

    ChildFailed(String operation, String workflowId, Results.Failure failure) {
        super(failure.code(), operation, failure.type(), failure.message(), Cause.of(failure));
        this.workflowId = workflowId;
    }

    public String workflowId() {
        return workflowId;
    }

    /** What was thrown in another workflow, by the name of its class and what it said. */
    public static final class Cause extends Exception {

        private static final long serialVersionUID = 1L;

        private final String type;

        private Cause(String type, String message, @Nullable Cause cause) {
            super(type + ": " + message, cause, false, false);
            this.type = type;
        }

        static Cause of(Results.Failure failure) {
            Results.Failure cause = failure.cause();
            return new Cause(failure.type(), failure.message(), cause == null ? null : of(cause));
        }

        /** The class of what was thrown there, or a word for what happened. */
        public String type() {
            return type;
        }
    }
}
