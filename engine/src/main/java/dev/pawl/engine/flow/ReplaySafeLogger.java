package dev.pawl.engine.flow;

import java.util.ResourceBundle;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Passes on what is said for the first time. */
final class ReplaySafeLogger implements System.Logger {

    private final System.Logger to;
    private final BooleanSupplier first;

    ReplaySafeLogger(System.Logger to, BooleanSupplier first) {
        this.to = to;
        this.first = first;
    }

    @Override
    public String getName() {
        return to.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
        return first.getAsBoolean() && to.isLoggable(level);
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String message,
            @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            to.log(level, bundle, message, thrown);
        }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format,
            @Nullable Object @Nullable... arguments) {
        if (isLoggable(level)) {
            to.log(level, bundle, format, arguments);
        }
    }
}
