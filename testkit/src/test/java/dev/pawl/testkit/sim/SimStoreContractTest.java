package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Store;
import dev.pawl.testkit.contract.StoreContract;
import java.time.Duration;

class SimStoreContractTest extends StoreContract {

    private final SimClock clock = new SimClock();
    private final Store store = new SimStore(clock);

    @Override
    protected Store open() {
        return store;
    }

    /** What is in memory is all it has: closing changes nothing. */
    @Override
    protected Store openAgain() {
        return store;
    }

    @Override
    public void pass(Duration duration) {
        clock.advance(duration);
    }
}
