package dev.pawl.engine.flow;

import dev.pawl.engine.PawlException;
import org.jspecify.annotations.Nullable;

/** An operation has failed for good: its attempts are used up, or another one would not help. It can be caught, and is durable. */
public sealed class OperationFailed extends PawlException permits ChildFailed, SignalNotAccepted {

    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String errorType;

    OperationFailed(String code, String operation, String errorType, String message) {
        this(code, operation, errorType, message, null);
    }

    OperationFailed(String code, String operation, String errorType, String message, @Nullable Throwable cause) {
        super(code, operation + " failed: " + message, cause);
        this.operation = operation;
        this.errorType = errorType;
    }

    public String operation() {
        return operation;
    }

    /** The class of what was thrown, or a word for what happened. */
    public String errorType() {
        return errorType;
    }
}
