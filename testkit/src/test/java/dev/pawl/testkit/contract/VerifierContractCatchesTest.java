package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract is only worth something if every broken verifier fails it: here are the broken verifiers. */
class VerifierContractCatchesTest {

    private static @Nullable Fault fault;

    /** What may be wrong with a verifier. */
    enum Fault {
        /** Nothing has ever happened. */
        ALWAYS_NOT_COMPLETED,
        /** It stays with what it said first. */
        REMEMBERS_ITS_FIRST_ANSWER,
        /** A process that is new knows nothing of what an old one saw. */
        KNOWS_ONLY_ITS_OWN_MEMORY,
        /** Keys that differ only in case, or in blanks, are the same to it. */
        NORMALISES_KEYS,
        /** A plus is a blank to it. */
        DECODES_KEYS,
        /** What cannot be asked has not happened. */
        TAKES_AN_OUTAGE_FOR_NOTHING,
        /** It hears of an effect when the next one has happened. */
        LAGS_BEHIND,
        /** It tells of the last effect, whatever the key. */
        MIXES_UP_RESULTS,
        /** Asking makes the effect. */
        ACTS_WHEN_ASKED
    }

    /** Named so that no build runs it by itself. */
    static class BrokenVerifier extends VerifierContract<Integer, String> {

        private final Map<String, String> effects = new ConcurrentHashMap<>();
        private volatile boolean out;
        private volatile String last = "";
        private volatile String lastKey = "";

        @Override
        protected Activity.Verifier<Integer, String> verifier() {
            Map<String, Verified<String>> memory = new HashMap<>();
            return (key, input) -> {
                if (out && fault == Fault.TAKES_AN_OUTAGE_FOR_NOTHING) {
                    return new Verified.NotCompleted<>();
                }
                if (out) {
                    return new Verified.Indeterminate<>("out");
                }
                Verified<String> answer = look(key);
                return fault == Fault.REMEMBERS_ITS_FIRST_ANSWER ? memory.computeIfAbsent(key, none -> answer)
                        : answer;
            };
        }

        private Verified<String> look(String key) {
            if (fault == Fault.ALWAYS_NOT_COMPLETED || fault == Fault.KNOWS_ONLY_ITS_OWN_MEMORY
                    || (fault == Fault.LAGS_BEHIND && key.equals(lastKey))) {
                return new Verified.NotCompleted<>();
            }
            String found = effects.get(stored(key));
            if (found == null) {
                if (fault == Fault.ACTS_WHEN_ASKED) {
                    effects.put(key, "by asking");
                }
                return new Verified.NotCompleted<>();
            }
            return new Verified.Completed<>(fault == Fault.MIXES_UP_RESULTS ? last : found);
        }

        private static String stored(String key) {
            return fault == Fault.NORMALISES_KEYS ? key.strip().toLowerCase(Locale.ROOT)
                    : fault == Fault.DECODES_KEYS ? key.replace('+', ' ') : key;
        }

        @Override
        protected String perform(String key, Integer input) {
            String result = "result of " + key + " " + input;
            effects.put(stored(key), result);
            last = result;
            lastKey = key;
            return result;
        }

        @Override
        protected Integer input(int n) {
            return n;
        }

        @Override
        protected AutoCloseable outage() {
            out = true;
            return () -> out = false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyBrokenVerifierFails(Fault broken) {
        fault = broken;

        List<String> failed = failures();

        System.out.printf("%-28s caught by %2d: %s%n", broken, failed.size(), String.join(", ", failed));
        assertThat(failed).isNotEmpty();
    }

    @Test
    void verifierWithoutAFaultPasses() {
        fault = null;

        assertThat(failures()).isEmpty();
    }

    private static List<String> failures() {
        List<String> failed = new ArrayList<>();
        LauncherFactory.create().execute(
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(BrokenVerifier.class)).build(),
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
