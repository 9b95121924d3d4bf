package dev.pawl.engine.store;

import dev.pawl.engine.PawlException;
import org.jspecify.annotations.Nullable;

/** A store that could not do what it was asked, for reasons of its own. */
public abstract sealed class StoreException extends PawlException {

    private static final long serialVersionUID = 1L;

    private StoreException(String code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }

    /** Whether the same call may succeed later although no person does anything. After {@link CommitUnknown} it must be idempotent. */
    public boolean passes() {
        return false;
    }

    /** Nothing was written; the same call may succeed in a moment. */
    public static final class Busy extends StoreException {

        private static final long serialVersionUID = 1L;

        public Busy(String message, @Nullable Throwable cause) {
            super("StoreBusy", message, cause);
        }

        @Override
        public boolean passes() {
            return true;
        }
    }

    /** Nothing was written, and nothing will be until somebody makes room. */
    public static final class Full extends StoreException {

        private static final long serialVersionUID = 1L;

        public Full(String message, @Nullable Throwable cause) {
            super("StoreFull", message, cause);
        }
    }

    /** Nothing was written; the store cannot be reached. */
    public static final class Unavailable extends StoreException {

        private static final long serialVersionUID = 1L;

        private final boolean passing;

        /** A person has to do something first: the store is closed, or refuses this user. */
        public Unavailable(String message, @Nullable Throwable cause) {
            this(message, cause, false);
        }

        private Unavailable(String message, @Nullable Throwable cause, boolean passing) {
            super("StoreUnavailable", message, cause);
            this.passing = passing;
        }

        /** An outage that may end by itself: a server that restarts, a file that another process has open. */
        public static Unavailable passing(String message, @Nullable Throwable cause) {
            return new Unavailable(message, cause, true);
        }

        @Override
        public boolean passes() {
            return passing;
        }
    }

    /** Nothing was written; what is stored contradicts itself. It needs a person: a backup, or what can be recovered. */
    public static final class Damaged extends StoreException {

        private static final long serialVersionUID = 1L;

        public Damaged(String message, @Nullable Throwable cause) {
            super("StoreDamaged", message, cause);
        }
    }

    /** Nothing was written: it belongs to another application. */
    public static final class Foreign extends StoreException {

        private static final long serialVersionUID = 1L;

        public Foreign(String message, @Nullable Throwable cause) {
            super("StoreForeign", message, cause);
        }
    }

    /**
     * Written or not: nobody heard. The owner must raise its epoch first, so that a late commit of the lost connection
     * can no longer apply, and then read what is there. It must never assume either.
     */
    public static final class CommitUnknown extends StoreException {

        private static final long serialVersionUID = 1L;

        public CommitUnknown(String message, @Nullable Throwable cause) {
            super("CommitUnknown", message, cause);
        }

        @Override
        public boolean passes() {
            return true;
        }
    }

    /** Nothing was opened: a library is not on the class path. The message names the dependency to add. */
    public static final class DependencyMissing extends StoreException {

        private static final long serialVersionUID = 1L;

        public DependencyMissing(String message) {
            super("StoreDependencyMissing", message, null);
        }
    }

    /** The store cannot do this at all without racing, so it does not try. */
    public static final class CapabilityMissing extends StoreException {

        private static final long serialVersionUID = 1L;

        public CapabilityMissing(String capability, String purpose, Class<?> store) {
            super("StoreCapabilityMissing", purpose + " needs " + capability + ", which " + store.getSimpleName()
                    + " does not offer; use a store that does", null);
        }
    }
}
