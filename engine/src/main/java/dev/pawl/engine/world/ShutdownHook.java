package dev.pawl.engine.world;

import org.jspecify.annotations.Nullable;

/** Runs something when the process is asked to end (SIGTERM, or {@code System.exit}), unless it is removed before. */
public final class ShutdownHook {

    private static final ShutdownHook NONE = new ShutdownHook(null);

    private final @Nullable Thread thread;

    private ShutdownHook(@Nullable Thread thread) {
        this.thread = thread;
    }

    /** Installs one, if it is wanted. */
    public static ShutdownHook of(boolean wanted, String name, Runnable ending) {
        if (!wanted) {
            return NONE;
        }
        Thread thread = Thread.ofPlatform().name(name).unstarted(ending);
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The process is ending already, and does not take another one.
            return NONE;
        }
        return new ShutdownHook(thread);
    }

    /** Does not run any more; nothing happens if the process is ending already. */
    public void remove() {
        if (thread != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException e) {
                // It runs, or will: the first to close does the work.
            }
        }
    }
}
