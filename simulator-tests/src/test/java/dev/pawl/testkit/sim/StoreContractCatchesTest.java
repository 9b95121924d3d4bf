package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreCapabilities;
import dev.pawl.testkit.contract.StoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract is only worth something if every broken store fails it: here are the broken stores. */
class StoreContractCatchesTest {

    private static Set<Flaw> flaws = EnumSet.noneOf(Flaw.class);

    /** Named so that no build runs it by itself. */
    static class BrokenStore extends StoreContract {

        private final SimClock clock = new SimClock();
        private final Store store = new SimStore(clock, StoreCapabilities.FULL, flaws);

        @Override
        protected Store open() {
            return store;
        }

        @Override
        protected Store openAgain() {
            return store;
        }

        @Override
        public void pass(Duration duration) {
            clock.advance(duration);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyBrokenStoreFails(Flaw flaw) {
        flaws = EnumSet.of(flaw);

        List<String> failed = failures();

        System.out.printf("%-26s caught by %2d: %s%n", flaw, failed.size(), String.join(", ", failed));
        assertThat(failed).isNotEmpty();
    }

    @Test
    void storeWithoutAFlawPasses() {
        flaws = EnumSet.noneOf(Flaw.class);

        assertThat(failures()).isEmpty();
    }

    private static List<String> failures() {
        List<String> failed = new ArrayList<>();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(BrokenStore.class)).build(),
                new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                            failed.add(test.getDisplayName().replace("()", ""));
                        }
                    }
                });
        return failed;
    }
}
