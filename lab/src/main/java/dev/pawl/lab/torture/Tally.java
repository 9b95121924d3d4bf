package dev.pawl.lab.torture;

/**
 * How much there was to look at: figures that say whether a run without violations means anything.
 *
 * @param promises what was told outside: starts, signals, interrupts, states that were read, calls of workers
 * @param epochs how often a shard was claimed or its epoch raised
 * @param unheard versions that are durable although no owner was ever told so: where a strike hit home
 */
record Tally(long workflows, long versions, long promises, long epochs, long unheard) {

    static final Tally NONE = new Tally(0, 0, 0, 0, 0);

    Tally plus(Tally other) {
        return new Tally(workflows + other.workflows, versions + other.versions, promises + other.promises,
                epochs + other.epochs, unheard + other.unheard);
    }

    @Override
    public String toString() {
        return "%d workflows with %d versions, %d promises, %d epochs, %d unheard commits".formatted(workflows,
                versions,
                promises, epochs, unheard);
    }
}
