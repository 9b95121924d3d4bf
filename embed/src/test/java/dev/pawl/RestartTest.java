package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.StoreException;
import dev.pawl.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that restarts under load, and stores that are not there yet when an application starts. */
@Tag("timing")
class RestartTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CALLERS = 6;

    @TempDir
    private Path folder = Path.of("");

    private final Flow<Integer, Integer> flow = Flow.named("count", Integer.class, Integer.class, (context, start) -> {
        AtomicInteger sum = new AtomicInteger(start);
        context.onUpdate("add", Integer.class, Integer.class, sum::addAndGet);
        int signals = 0;
        while (!"end".equals(context.signal("tick", String.class))) {
            signals++;
        }
        return 1_000 * signals + sum.get();
    });

    /** Each caller counts what it has sent; the workflow counts what has come. */
    private void call(Pawl pawl, String id, long untilNanos, Queue<Throwable> thrown) {
        try {
            WorkflowHandle<Integer> handle = pawl.start(flow, id, 0);
            int calls = 0;
            do {
                handle.signal("tick", "one");
                handle.update("add", 1, Integer.class, "u" + calls, SOON);
                handle.status();
                pawl.start(flow, id, 0);
                calls++;
            } while (System.nanoTime() < untilNanos);
            handle.signal("tick", "end");
            assertThat(handle.result(SOON)).as("signals and updates of " + id).isEqualTo(1_001 * calls);
        } catch (Throwable e) {
            thrown.add(e);
        }
    }

    @Test
    void callersDoNotNoticeARestartOfPostgres() throws Exception {
        try (RestartableServer server = new RestartableServer(folder);
                Pawl here = Pawl.builder().url(server.url()).shards(4).definitions(flow).open();
                Pawl there = Pawl.builder().url(server.url()).shards(4).definitions(flow).open()) {
            Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            List<Thread> callers = new ArrayList<>();
            long until = System.nanoTime() + Duration.ofSeconds(8).toNanos();
            for (int i = 0; i < CALLERS; i++) {
                Pawl pawl = i % 2 == 0 ? here : there;
                String id = "w" + i;
                callers.add(Thread.ofPlatform().start(() -> call(pawl, id, until, thrown)));
            }
            for (int restart = 0; restart < 2; restart++) {
                Thread.sleep(1_500);
                server.crash();
                Thread.sleep(500);
                server.start();
            }
            for (Thread caller : callers) {
                caller.join(2 * SOON.toMillis());
            }
            assertThat(thrown).isEmpty();
        }
    }

    /** A pool by itself waits longer after every failure, in the end five seconds. */
    @Test
    void callersAreServedSoonAfterALongOutage() throws Exception {
        try (RestartableServer server = new RestartableServer(folder);
                Pawl pawl = Pawl.builder().url(server.url()).shards(4).definitions(flow).open()) {
            WorkflowHandle<Integer> handle = pawl.start(flow, "w", 0);
            server.crash();
            Thread caller = Thread.ofPlatform().start(handle::status);
            Thread.sleep(9_000);
            server.start();
            long back = System.nanoTime();
            handle.status();
            caller.join();
            assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(Duration.ofSeconds(3));
        }
    }

    private static List<String> logged(ThrowingRunnable run) throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Handler handler = new Handler() {

            @Override
            public void publish(LogRecord record) {
                lines.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(PawlBuilder.class.getName());
        logger.addHandler(handler);
        try {
            run.run();
        } finally {
            logger.removeHandler(handler);
        }
        return lines;
    }

    private interface ThrowingRunnable {

        void run() throws Exception;
    }

    @Test
    void openingWaitsForAServerThatIsAway() throws Exception {
        try (RestartableServer server = new RestartableServer(folder)) {
            server.crash();
            assertThatThrownBy(() -> Pawl.open(server.url(), flow)).isInstanceOf(StoreException.Unavailable.class);
            assertThatThrownBy(
                    () -> Pawl.builder().url(server.url()).waitForStore(Duration.ofMillis(300)).definitions(flow)
                            .open())
                    .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("gave up after");
            Thread starting = Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(1_500);
                    server.start();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            List<String> lines = logged(() -> {
                try (Pawl pawl = Pawl.builder().url(server.url()).waitForStore(SOON).definitions(flow).open()) {
                    pawl.start(flow, "w", 1).signal("tick", "end");
                    assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo(1);
                }
            });
            starting.join();
            assertThat(lines).filteredOn(line -> line.contains("waits up to")).as("logged once").hasSize(1)
                    .first().asString().contains("cannot be reached");
            assertThat(lines).filteredOn(line -> line.contains("the store is there")).hasSize(1);
        }
    }

    @Test
    void openingWaitsForAFileThatAnotherProcessHasOpen() throws Exception {
        Path file = folder.resolve("flows.db");
        SqliteStore first = SqliteStore.open(file);
        Thread closing = Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(500);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            first.close();
        });
        try (Pawl pawl = Pawl.builder().file(file).waitForStore(SOON).definitions(flow).open()) {
            pawl.start(flow, "w", 1).signal("tick", "end");
            assertThat(pawl.workflow(flow, "w").result(SOON)).isEqualTo(1);
        }
        closing.join();
    }

    @Test
    void databaseThatDoesNotExistIsNotWaitedFor() throws Exception {
        try (RestartableServer server = new RestartableServer(folder)) {
            String url = server.url().replace("/postgres?", "/no_such_database?");
            long began = System.nanoTime();
            assertThatThrownBy(() -> Pawl.builder().url(url).waitForStore(SOON).definitions(flow).open())
                    .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("create the database first");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        }
    }
}
