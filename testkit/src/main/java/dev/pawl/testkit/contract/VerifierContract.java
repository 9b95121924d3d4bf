package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Verified;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a verifier must do, whatever it asks. Its own test extends this class, says how to make one and how to make the effect it looks for,
 * and inherits all the tests.
 *
 * <p>What counts most: after a call has completed it never says that nothing has happened, because then the effect is made twice.
 *
 * @param <I> what the activity is given
 * @param <O> what it comes to
 */
public abstract class VerifierContract<I extends @Nullable Object, O extends @Nullable Object> {

    private static final int CALLERS = 8;
    private static final int CALLS = 10;

    /** A verifier as a new process would make it: with nothing in memory. */
    protected abstract Activity.Verifier<I, O> verifier();

    /** Makes the effect under this key, as the activity does, and returns what it came to. */
    protected abstract O perform(String key, I input) throws Exception;

    /** What the n-th activity is given; no two the same. */
    protected abstract I input(int n);

    /** Keeps the verifier from reaching what it asks until this is closed; null if that cannot be done. */
    protected @Nullable AutoCloseable outage() throws Exception {
        return null;
    }

    private Verified<O> verify(String key, int n) throws Exception {
        return verifier().verify(key, input(n));
    }

    /** It has happened, and if it is said what it came to, that is true. */
    private void assertHappened(Verified<O> verified, O result) {
        assertThat(verified).as("a completed call is never told as one that has not happened")
                .isNotInstanceOf(Verified.NotCompleted.class);
        assertThat(verified).as("what has completed can be told").isNotInstanceOf(Verified.Indeterminate.class);
        if (verified instanceof Verified.Completed<O> completed) {
            assertThat(completed.result()).isEqualTo(result);
        }
    }

    @Test
    void whatWasNeverCalledHasNotHappened() throws Exception {
        assertThat(verify("never", 0)).isInstanceOf(Verified.NotCompleted.class);
    }

    @Test
    void completedCallIsNeverToldAsOneThatHasNotHappened() throws Exception {
        assertThat(verify("key", 0)).isInstanceOf(Verified.NotCompleted.class);
        O result = perform("key", input(0));

        assertHappened(verify("key", 0), result);
    }

    /** One that remembers what it was told before is worth nothing. */
    @Test
    void sameVerifierHearsOfWhatHappensLater() throws Exception {
        Activity.Verifier<I, O> verifier = verifier();
        assertThat(verifier.verify("later", input(0))).isInstanceOf(Verified.NotCompleted.class);
        O result = perform("later", input(0));

        assertHappened(verifier.verify("later", input(0)), result);
    }

    @Test
    void askingChangesNothing() throws Exception {
        verify("asked", 0);
        assertThat(verify("asked", 0)).isInstanceOf(Verified.NotCompleted.class);
        O result = perform("asked", input(0));

        assertHappened(verify("asked", 0), result);
        assertHappened(verify("asked", 0), result);
    }

    /** The caller ends before it hears of the result: whoever asks next, at once and from elsewhere, must be told. */
    @Test
    void callIsKnownRightAfterItsCallerHasDied() throws Exception {
        for (int n = 0; n < CALLS; n++) {
            int number = n;
            String key = "died-" + n;
            List<O> results = new ArrayList<>();
            Thread caller = Thread.ofPlatform().unstarted(() -> {
                results.add(performed(key, input(number)));
                throw new ThreadDeathOfCaller();
            });
            caller.setUncaughtExceptionHandler((thread, error) -> {});
            caller.start();
            caller.join();

            assertHappened(verify(key, n), results.getFirst());
        }
    }

    private static final class ThreadDeathOfCaller extends Error {

        private static final long serialVersionUID = 1L;
    }

    private O performed(String key, I input) {
        try {
            return perform(key, input);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void callersAtOnceAreToldOfTheirOwnEffects() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<@Nullable Void>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                int caller = i;
                callers.add(pool.submit((Callable<@Nullable Void>) () -> {
                    for (int call = 0; call < CALLS; call++) {
                        int n = caller * CALLS + call;
                        String key = "caller-" + caller + "-" + call;
                        assertThat(verify(key, n)).isInstanceOf(Verified.NotCompleted.class);
                        O result = perform(key, input(n));
                        assertHappened(verify(key, n), result);
                    }
                    return null;
                }));
            }
            for (Future<@Nullable Void> caller : callers) {
                caller.get();
            }
        }
    }

    /** Keys that are easily taken for one another, or for something else than a key. */
    @Test
    void keysAreTakenAsTheyAre() throws Exception {
        List<String> keys =
                List.of("a b", "a+b", "a%20b", "a%2Bb", "A B", "a  b", " a b", "a:b", "a/b", "a%2Fb", "a?b=c",
                        "a#b", "a&b", "a;b", "a\\b", "a'b", "a\"b", "a'; drop table x; --", "..", "../a", ".", "*",
                        "{key}", "%",
                        "_", "\u00e9", "e\u0301", "\u4e2d", "\ud83d\ude00", "pawl:default:w:op", "k".repeat(100));
        assertThat(new HashSet<>(keys)).hasSameSizeAs(keys);
        List<O> results = new ArrayList<>();
        for (int n = 0; n < keys.size(); n++) {
            assertThat(verify(keys.get(n), n)).as("%s, of which nothing was heard", keys.get(n))
                    .isInstanceOf(Verified.NotCompleted.class);
            O result = perform(keys.get(n), input(n));
            assertHappened(verify(keys.get(n), n), result);
            results.add(result);
        }
        for (int n = 0; n < keys.size(); n++) {
            assertHappened(verify(keys.get(n), n), results.get(n));
        }
    }

    @Test
    void whatCannotBeAskedIsNotTakenForWhatHasNotHappened() throws Exception {
        perform("out", input(0));
        AutoCloseable outage = outage();
        assumeTrue(outage != null, "no outage can be made here");
        try (outage) {
            for (String key : List.of("out", "never out")) {
                Verified<O> verified;
                try {
                    verified = verify(key, 0);
                } catch (Exception e) {
                    continue;
                }
                assertThat(verified).isInstanceOf(Verified.Indeterminate.class);
            }
        }
    }
}
