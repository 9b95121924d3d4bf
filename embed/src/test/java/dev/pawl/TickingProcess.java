package dev.pawl;

import dev.pawl.engine.flow.Flow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** An application in a process of its own, to be killed: its workflows take a step every moment, and each step leaves a line in a file. */
final class TickingProcess {

    static final Duration MOMENT = Duration.ofMillis(100);

    private TickingProcess() {
    }

    /** Each line has the time, the process and the workflow. */
    static Flow<Integer, Integer> flow(Path log) {
        return Flow.named("tick", Integer.class, Integer.class, (context, start) -> {
            for (int i = start; i < start + 100; i++) {
                context.step("tick", String.class, () -> line(log, context.workflowId()));
                context.sleep(MOMENT);
            }
            return context.continueAsNew(start + 100);
        });
    }

    private static String line(Path log, String workflow) throws IOException {
        // A workflow that goes on as another one is the same to whoever waits for its next step.
        String line = System.currentTimeMillis() + " " + ProcessHandle.current().pid() + " " + workflow.split("~", 2)[0]
                + "\n";
        Files.write(log, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return "";
    }

    /** Arguments: URL, milliseconds of a lease and between renewals, log. */
    public static void main(String[] args) throws InterruptedException {
        try (Pawl pawl = Pawl.builder().url(args[0])
                .lease(Duration.ofMillis(Long.parseLong(args[1])), Duration.ofMillis(Long.parseLong(args[2])))
                .waitForStore(Duration.ofMinutes(1)).definitions(flow(Path.of(args[3]))).open()) {
            // Until the process is killed.
            new CountDownLatch(1).await();
            pawl.retention();
        }
    }
}
