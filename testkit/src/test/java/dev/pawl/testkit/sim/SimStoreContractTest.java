package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Store;
import dev.pawl.testkit.contract.StoreContract;
import java.time.Duration;

class SimStoreContractTest extends StoreContract {

    private final SimClock clock = new SimClock();

    @Override
    protected Store open() {
        return new SimStore(clock);
    }

    @Override
    public void pass(Duration duration) {
        clock.advance(duration);
    }
}
