package dev.pawl;

import dev.pawl.engine.retention.RetentionPolicy;
import dev.pawl.engine.retention.Sweeper;
import dev.pawl.engine.store.Swept;

/** How long what is over is kept here. Everything is done by itself; this is for whoever wants to see or to hurry it. */
public final class Retention {

    private final Sweeper sweeper;

    Retention(Sweeper sweeper) {
        this.sweeper = sweeper;
    }

    public RetentionPolicy policy() {
        return sweeper.policy();
    }

    /** Another policy from now on, for what is over already, too. */
    public void policy(RetentionPolicy policy) {
        sweeper.policy(policy);
    }

    /** What a sweep would delete now: how many, and how many bytes. Nothing is deleted. */
    public Swept dryRun() {
        return dryRun(sweeper.policy());
    }

    /** What a sweep would delete now if this were the policy. */
    public Swept dryRun(RetentionPolicy policy) {
        return sweeper.dryRun(policy);
    }

    /** Deletes everything that may go now. */
    public Swept sweep() {
        return sweeper.sweep();
    }
}
