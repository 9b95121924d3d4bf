package dev.pawl.engine;

/** An engine that may not be alone was given a store that cannot tell two owners apart. Nothing was claimed. */
public final class CheckpointOwnershipCapabilityError extends PawlException {

    private static final long serialVersionUID = 1L;

    public CheckpointOwnershipCapabilityError(CheckpointOwnership mode, Class<?> store) {
        super("CheckpointOwnershipCapabilityError", "checkpointOwnership " + mode
                + " needs conditionalBatch, which " + store.getName()
                + " does not offer; use a store that does, or choose "
                + CheckpointOwnership.SINGLE_OWNER + " and make sure that one engine at a time runs on this store",
                null);
    }
}
