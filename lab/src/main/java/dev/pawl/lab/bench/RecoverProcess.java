package dev.pawl.lab.bench;

import dev.pawl.Pawl;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Store;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/**
 * An application with many open workflows, in a process of its own: {@code fill} starts them and waits to be killed, {@code recover} opens the
 * same store and says when the first and the last of them went on. A third is in the middle of a step, a third waits for a signal, a
 * third sleeps.
 */
final class RecoverProcess {

    static final int KINDS = 3;
    private static final int CLIENTS = 64;
    private static final int SETTLE_MILLIS = 1_000;
    private static final String SQLITE = "jdbc:sqlite:";

    private final int workflows;
    private final boolean filling;
    private final AtomicInteger parked = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicLong firstNanos = new AtomicLong();
    private final AtomicLong claimNanos = new AtomicLong();
    private final CountDownLatch allEntered;

    private RecoverProcess(int workflows, boolean filling) {
        this.workflows = workflows;
        this.filling = filling;
        this.allEntered = new CountDownLatch(inSteps(workflows));
    }

    static int inSteps(int workflows) {
        return (workflows + KINDS - 1) / KINDS;
    }

    public static void main(String[] args) throws Exception {
        RecoverProcess process = new RecoverProcess(Integer.parseInt(args[3]), args[0].equals("fill"));
        process.run(args[1], Integer.parseInt(args[2]));
        Runtime.getRuntime().halt(0);
    }

    private Flow<Integer, String> flow() {
        return Flow.named("open", Integer.class, String.class, (context, number) -> {
            context.step("first", String.class, () -> "a result of a few bytes");
            context.step("second", String.class, () -> "another result of a few bytes");
            parked.incrementAndGet();
            switch (number % KINDS) {
                case 0 -> context.step("middle", String.class, this::middle);
                case 1 -> context.signal("go", String.class);
                default -> context.sleep(Duration.ofDays(1));
            }
            return context.signal("end", String.class);
        });
    }

    /** Before the kill it never ends; afterwards it counts. */
    private String middle() throws InterruptedException {
        firstNanos.compareAndSet(0, System.nanoTime());
        entered.incrementAndGet();
        allEntered.countDown();
        if (filling) {
            new CountDownLatch(1).await();
        }
        return "done";
    }

    private void run(String url, int shards) throws Exception {
        Store store = url.startsWith(SQLITE) ? SqliteStore.open(Path.of(url.substring(SQLITE.length())))
                : PostgresStore.open(url, "postgres", "postgres");
        Flow<Integer, String> flow = flow();
        long began = System.nanoTime();
        try (Pawl pawl = Pawl.builder().store(stamping(store)).shards(shards).definitions(flow).shutdownHook(false)
                .open()) {
            if (filling) {
                fill(pawl, flow);
            } else {
                allEntered.await();
                report(began, System.nanoTime());
            }
            // Killed here, or ended without a word by main.
            System.out.flush();
            if (filling) {
                new CountDownLatch(1).await();
            }
            Runtime.getRuntime().halt(0);
        }
    }

    /** Steps that never end come last: they keep the threads that the others need for their own. */
    private void fill(Pawl pawl, Flow<Integer, String> flow) throws InterruptedException {
        start(pawl, flow, number -> number % KINDS != 0);
        while (parked.get() < workflows - inSteps(workflows)) {
            Thread.sleep(1);
        }
        start(pawl, flow, number -> number % KINDS == 0);
        Thread.sleep(SETTLE_MILLIS);
        System.out.println("ready");
    }

    private void start(Pawl pawl, Flow<Integer, String> flow, IntPredicate which) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Together.run(CLIENTS, none -> {
            for (int number = next.getAndIncrement(); number < workflows; number = next.getAndIncrement()) {
                if (which.test(number)) {
                    pawl.start(flow, "w" + number, number);
                }
            }
        });
    }

    private void report(long began, long all) throws InterruptedException {
        long firstClaim = claimNanos.get();
        long heap = Sleepers.heapBytes();
        System.out.println("recovered " + millis(began, firstClaim) + " " + millis(firstClaim, firstNanos.get()) + " "
                + millis(firstClaim, all) + " " + heap + " "
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax() + " " + entered.get());
    }

    private static long millis(long from, long to) {
        return (to - from) / 1_000_000;
    }

    /** Notes when the first shard was had. */
    private Store stamping(Store store) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, args) -> method.isDefault() && !method.getName().equals("handIn")
                        ? InvocationHandler.invokeDefault(proxy, method, args)
                        : call(store, method, args));
    }

    private Object call(Store store, Method method, Object[] args) throws Throwable {
        try {
            Object result = method.invoke(store, args);
            if (result instanceof Claim.Claimed) {
                claimNanos.compareAndSet(0, System.nanoTime());
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
