package dev.pawl.lab.demo;

import dev.pawl.Pawl;
import dev.pawl.engine.flow.Flow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * The process that dies: a shop with one order. What its steps do to the outside world goes to a file of its own, which nobody rolls
 * back. Arguments: the folder, and optionally the step in which it stays until it is killed.
 */
public final class Shop {

    static final String FILE = "shop.db";
    static final String OUTSIDE = "outside.log";
    static final String WORKFLOW = "order-42";
    static final String RUNS = "runs ";
    static final String RESULT = "result ";
    /** Short, so that nobody has to wait for the second life. The default is 15 seconds. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private final Path folder;
    private final String deadly;

    private Shop(Path folder, String deadly) {
        this.folder = folder;
        this.deadly = deadly;
    }

    public static void main(String[] args) {
        new Shop(Path.of(args[0]), args.length > 1 ? args[1] : "").run();
    }

    private void run() {
        Flow<String, String> order = Flow.named("order", String.class, String.class, (flow, item) -> {
            String shelf = flow.step("reserve", String.class, () -> outside("reserve", item + " on shelf 7"));
            String payment = flow.step("charge", String.class, () -> outside("charge", "payment 77"));
            String parcel = flow.step("ship", String.class, () -> outside("ship", "parcel 12"));
            flow.step("thank", String.class, () -> outside("thank", "mail for " + parcel));
            return shelf + ", " + payment + ", " + parcel;
        });
        try (Pawl pawl = Pawl.builder().file(folder.resolve(FILE)).lease(LEASE, LEASE.dividedBy(4))
                .definitions(order).open()) {
            // Started again with the same id, it is the same workflow.
            System.out.println(RESULT + pawl.start(order, WORKFLOW, "book").result());
        }
    }

    private String outside(String step, String result) throws IOException, InterruptedException {
        Files.writeString(folder.resolve(OUTSIDE), step + " by process " + ProcessHandle.current().pid() + "\n",
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(RUNS + step);
        if (step.equals(deadly)) {
            Thread.sleep(Duration.ofHours(1));
        }
        return result;
    }
}
