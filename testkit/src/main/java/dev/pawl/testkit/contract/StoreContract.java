package dev.pawl.testkit.contract;

import dev.pawl.engine.store.Store;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every store must do, whatever lies behind it. A store's own test extends this class, says how to open a fresh one
 * and how its clock passes, and inherits all the tests.
 */
public abstract class StoreContract implements OwnershipContract, CommitContract, GateContract, MessageContract,
        StartContract, SignalContract, JoinedSignalContract, WakerContract, VisibilityContract, EventContract,
        ChainContract,
        PresenceContract, RoundTripContract, RowContract, RaceContract, RetentionContract, EffectContract,
        DecisionContract, SlotContract, AttributeContract {

    private @Nullable Store store;

    /** A fresh, empty store, with every capability. */
    protected abstract Store open();

    /** Another store on the data of the one that was just closed. */
    protected abstract Store openAgain();

    @Override
    public final void reopen() {
        store().close();
        store = openAgain();
    }

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store().close();
    }

    @Override
    public final Store store() {
        if (store == null) {
            throw new IllegalStateException("the store is open only during a test");
        }
        return store;
    }
}
