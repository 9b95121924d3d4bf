package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * How updates of one name are handled. By default every update is taken, and handlers run one at a time: the next begins when the one before
 * it has answered, also if that one waits. Immutable.
 *
 * @param validator refuses updates before their handler begins; null if all are taken
 * @param isConcurrent whether a handler may begin while others wait
 */
public record UpdateOptions<I extends @Nullable Object>(@Nullable Validator<I> validator, boolean isConcurrent) {

    /**
     * Looks at an update, and throws if it is to be refused: the caller gets {@code UpdateRefused} with the message. Reads the state of the
     * flow and must not change it; nothing of it runs again.
     */
    @FunctionalInterface
    public interface Validator<I extends @Nullable Object> {

        void validate(I input) throws Exception;
    }

    public static <I extends @Nullable Object> UpdateOptions<I> serial() {
        return new UpdateOptions<>(null, false);
    }

    public static <I extends @Nullable Object> UpdateOptions<I> validatedBy(Validator<I> validator) {
        return new UpdateOptions<>(validator, false);
    }

    /** The same, and a handler does not wait for the others. */
    public UpdateOptions<I> concurrent() {
        return new UpdateOptions<>(validator, true);
    }
}
