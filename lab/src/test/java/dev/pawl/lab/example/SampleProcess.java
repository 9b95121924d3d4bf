package dev.pawl.lab.example;

import dev.pawl.Pawl;
import dev.pawl.WorkflowHandle;
import dev.pawl.engine.PawlException;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.lab.example.ClusterManager.Nodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A program with both samples in a process of its own, to be killed, or to be run with classes that have changed. What it does outside is a
 * line in a file for each call. Payloads are maps, so that it compiles with whatever became of the records.
 */
final class SampleProcess {

    static final String MIDDLE = "in the middle";

    private static final Duration SOON = Duration.ofSeconds(60);

    private SampleProcess() {
    }

    /** The world outside. */
    static final class Effects implements ClusterManager.Machines, Checkout.PaymentPage {

        private final Path file;
        private final String last;

        /**
         * @param last the line after which nothing returns any more; empty for none
         */
        Effects(Path file, String last) {
            this.file = file;
            this.last = last;
        }

        private void add(String line) {
            try {
                Files.writeString(file, line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (line.equals(last)) {
                System.out.println(MIDDLE);
                stay();
            }
        }

        @Override
        public void assign(String job, List<String> nodes) {
            add("assign " + job + " " + nodes);
        }

        @Override
        public void release(String job, List<String> nodes) {
            add("release " + job + " " + nodes);
        }

        @Override
        public List<String> bad(Set<String> nodes) {
            return List.of("node-5");
        }

        @Override
        public String open(String order, long cents) {
            add("open " + order);
            return "session-" + order;
        }

        @Override
        public void close(String session) {
            add("close " + session);
        }
    }

    private static void stay() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static Pawl open(String url, Effects effects) {
        return Pawl.builder().url(url).shards(2).lease(Duration.ofSeconds(2), Duration.ofMillis(500))
                .definitions(new ClusterManager(effects).flow(), new Checkout(effects).flow(), Checkout.STOCK,
                        Checkout.LEFT)
                .open();
    }

    /** Arguments: URL, file of effects, what to do, the line to stay in. */
    public static void main(String[] args) throws Exception {
        Effects effects = new Effects(Path.of(args[1]), args[3]);
        try (Pawl pawl = open(args[0], effects)) {
            switch (args[2]) {
                case "cluster" -> cluster(pawl);
                case "checkout" -> checkout(pawl);
                case "assign" -> {
                    told(() -> assign(pawl, SOON));
                    return;
                }
                case "assign and park" -> {
                    CompletableFuture<Nodes> unused = CompletableFuture.supplyAsync(() -> assign(pawl, SOON));
                    await(() -> pawl.workflow("cluster").status() == WorkflowStatus.PARKED);
                    told(() -> assign(pawl, Duration.ofSeconds(1)));
                }
                default -> {}
            }
            if (args[2].equals("cluster") || args[2].equals("checkout")) {
                stay();
            }
            look(pawl, pawl.workflow(args[2].equals("order") ? "order-1" : "cluster"));
        }
    }

    private static void cluster(Pawl pawl) {
        WorkflowHandle<?> cluster = pawl.start(new ClusterManager(new Effects(Path.of("/"), "")).flow(), "cluster",
                ClusterManager.Cluster.of(7, 3, Duration.ofMillis(200)));
        cluster.signal(ClusterManager.START, "");
        cluster.update(ClusterManager.ASSIGN, Map.of("name", "train", "nodes", 3), Nodes.class, "u-train", SOON);
        cluster.update(ClusterManager.ASSIGN, Map.of("name", "index", "nodes", 2), Nodes.class, "u-index", SOON);
    }

    /** What a parked workflow does not answer is told when the time is up. */
    private static Nodes assign(Pawl pawl, Duration timeout) {
        return pawl.workflow("cluster").update(ClusterManager.ASSIGN, Map.of("name", "late", "nodes", 1), Nodes.class,
                "u-late", timeout);
    }

    private static void checkout(Pawl pawl) {
        pawl.start(Checkout.STOCK, "stock", new Checkout.Delivery("widget", 2)).result();
        pawl.start(new Checkout(new Effects(Path.of("/"), "")).flow(), "order-1",
                new Checkout.Order("order-1", "widget", 990, Duration.ofMinutes(10)));
    }

    /** What a person reads who looks after it. */
    private static void look(Pawl pawl, WorkflowHandle<?> handle) throws InterruptedException {
        await(() -> handle.status() != WorkflowStatus.RUNNING);
        System.out.println("status: " + handle.status());
        System.out.println("reason: " + handle.reason());
        pawl.attention().list(null, 10).items().forEach(each -> System.out.println("case: " + each));
        told(() -> handle.result(Duration.ofSeconds(1)));
    }

    /** Or until it has taken too long, which is for the test to tell. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
            never.await(100, TimeUnit.MILLISECONDS);
        }
    }

    private static void told(java.util.function.Supplier<Object> call) {
        try {
            System.out.println("answer: " + call.get());
        } catch (PawlException e) {
            System.out.println("thrown: " + e.getClass().getSimpleName() + " " + e.code() + ": " + e.getMessage());
        }
    }
}
