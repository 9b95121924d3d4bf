package dev.pawl.engine.flow;

import org.jspecify.annotations.Nullable;

/**
 * What a look at the outside world says about an effect whose record is missing.
 *
 * @param <O> what the activity comes to
 */
public sealed interface Verified<O extends @Nullable Object> {

    /** It has not happened: the activity may be run. */
    record NotCompleted<O extends @Nullable Object>() implements Verified<O> {
    }

    /** It has happened, and came to this. */
    record Completed<O extends @Nullable Object>(O result) implements Verified<O> {
    }

    /** It has happened, but what it came to cannot be told any more. */
    record ResultUnavailable<O extends @Nullable Object>(String why) implements Verified<O> {
    }

    /** It cannot be told whether it has happened. */
    record Indeterminate<O extends @Nullable Object>(String why) implements Verified<O> {
    }
}
