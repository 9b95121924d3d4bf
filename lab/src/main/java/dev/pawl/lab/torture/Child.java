package dev.pawl.lab.torture;

import dev.pawl.engine.store.ShardId;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.StoreException;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Text;
import dev.pawl.testkit.scenario.Workers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The process that is tortured: a store, an engine, workers and clients. It goes on until it is killed, or until it is told
 * "calm" on its standard input; then it finishes what was begun and ends. If whoever started it is gone, it ends at once.
 */
@Command(name = "child")
final class Child implements Callable<Integer> {

    /** The store is somebody else's. */
    static final int REFUSED = 3;
    static final int NOT_FINISHED = 4;

    private static final int ORPHANED = 7;
    private static final int TICK_MILLIS = 50;
    private static final int CALM_MILLIS_MAX = 90_000;
    private static final int WORK_MILLIS_MAX = 30;
    private static final int LATE_MILLIS = 1_000;

    @Option(names = "--store", required = true)
    private String address = "";

    @Option(names = "--folder", required = true)
    private Path folder = Path.of("");

    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--seed", required = true)
    private long seed;

    @Option(names = "--first")
    private int first;

    @Option(names = "--stride")
    private int stride = 1;

    @Option(names = "--halt")
    private @Nullable String halt;

    @Option(names = "--apart")
    private boolean apart;

    private volatile boolean calm;
    private final AtomicInteger working = new AtomicInteger();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Child()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path file = OutsideWorld.file(folder, name);
        OutsideWorld known = OutsideWorld.of(file);
        // Unique among all engines that ever use the store, as an owner must be.
        String owner = name + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        Thread.ofPlatform().name("orders").daemon().start(this::takeOrders);
        try (OutsideLog log = new OutsideLog(file); Store real = open()) {
            Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught(log, thread, e));
            Store store = WatchedStore.of(real, owner, log, halt == null ? null : Halt.parse(halt));
            createShards(store, log);
            try (TortureEngine engine = new TortureEngine(owner, store, apart,
                    List.of(Graphs.QUEUE, Workers.BROKEN), task -> work(task, log))) {
                return run(store, log, engine, new Clients(store, log, known, new Load(seed), first, stride));
            }
        } catch (StoreException e) {
            System.err.println(e.getMessage());
            return REFUSED;
        }
    }

    private Store open() {
        return Stores.open(address);
    }

    private static void createShards(Store store, OutsideLog log) throws InterruptedException {
        while (true) {
            try {
                store.createShards(Scenario.NAMESPACE, Scenario.GROUP, TortureEngine.SHARDS);
                return;
            } catch (StoreException e) {
                log.note(e.code());
                Thread.sleep(TICK_MILLIS);
            }
        }
    }

    private int run(Store store, OutsideLog log, TortureEngine engine, Clients clients) throws InterruptedException {
        long calmMillis = 0;
        while (true) {
            Thread.sleep(TICK_MILLIS);
            engine.broken().forEach(shard -> log.wrong("out of service: " + shard));
            if (!calm) {
                continue;
            }
            clients.calmDown();
            calmMillis += TICK_MILLIS;
            if (clients.done() && working.get() == 0 && finished(store)) {
                return 0;
            }
            if (calmMillis > CALM_MILLIS_MAX) {
                log.wrong("P8 not finished after " + CALM_MILLIS_MAX + " ms of calm: " + engine.state());
                return NOT_FINISHED;
            }
        }
    }

    private static boolean finished(Store store) {
        try {
            WorkflowQuery open = WorkflowQuery.all(Scenario.NAMESPACE).inStatus(WorkflowStatus.RUNNING);
            return store.workflows(open, null, 1).items().isEmpty()
                    && IntStream.range(0, TortureEngine.SHARDS)
                            .mapToObj(number -> new ShardId(Scenario.NAMESPACE, Scenario.GROUP, number))
                            .allMatch(shard -> store.inbox(shard, 1).isEmpty()
                                    && store.queue(shard, null, 1).isEmpty());
        } catch (StoreException e) {
            return false;
        }
    }

    /** Told outside before the answer, so that no answer is taken that nobody knows of. Some come after their deadline. */
    private Payload work(Task task, OutsideLog log) {
        working.incrementAndGet();
        try {
            return answer(task, log);
        } finally {
            working.decrementAndGet();
        }
    }

    private static Payload answer(Task task, OutsideLog log) {
        log.called(task.workflow().workflowId(), task.activity().toString(), task.attempt());
        try {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Thread.sleep(random.nextInt(40) == 0 ? LATE_MILLIS : random.nextInt(WORK_MILLIS_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return switch (Workers.echo(task.queue(), task.activity(), task.input())) {
            case Response.Failure failure -> throw new IllegalStateException(Text.in(failure.payload()));
            case Response.Final answer -> answer.payload();
            case Response.Pending pending -> throw new IllegalStateException("an echo is never pending");
        };
    }

    /** An engine that has lost its thread looks alive and is not. Only a worker may fail to hand in an answer. */
    private static void uncaught(OutsideLog log, Thread thread, Throwable e) {
        e.printStackTrace();
        if (thread.isVirtual() && e instanceof StoreException store) {
            log.note("answer lost: " + store.code());
        } else {
            log.wrong("thread " + thread.getName() + " ended with " + e);
        }
    }

    private void takeOrders() {
        try (BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                calm |= order.equals("calm");
            }
        } catch (IOException e) {
            System.err.println("no orders any more: " + e.getMessage());
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
