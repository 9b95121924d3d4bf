package dev.pawl.testkit.contract;

import dev.pawl.engine.store.Store;
import dev.pawl.kernel.id.WorkflowKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What the contract's tests have in common. */
interface ContractWorld {

    String NAMESPACE = "contract";
    String GROUP = "shop";

    /** A time to the millisecond, as stores keep it. */
    Instant NOW = Instant.parse("2030-01-01T00:00:00.123Z");

    /** Short enough to wait for on a real clock, long enough for a slow machine. */
    Duration TTL = Duration.ofSeconds(1);

    /** The store under test, fresh for each test. */
    Store store();

    /** Lets the store's own clock pass, by waiting or by moving it. */
    void pass(Duration duration);

    /** Closes the store and opens it again on the same data, so that what is kept in memory alone is lost. */
    void reopen();

    default Driver driver(Sketch sketch) {
        return Driver.on(this::store, sketch);
    }

    default Driver driver() {
        return driver(Sketch.ofWorkers("a", "b"));
    }

    static WorkflowKey key(String workflowId) {
        return new WorkflowKey(NAMESPACE, workflowId);
    }

    /** The answers of many threads that ask at the same moment. */
    static <T> List<T> atOnce(int threads, Supplier<T> question) {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<T>> answers = IntStream.range(0, threads).mapToObj(each -> pool.submit(() -> {
                barrier.await();
                return question.get();
            })).toList();
            return answers.stream().map(ContractWorld::answer).toList();
        }
    }

    private static <T> T answer(Future<T> future) {
        try {
            return future.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
