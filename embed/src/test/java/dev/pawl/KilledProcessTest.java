package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Flow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process that is killed in the middle of a workflow, on a file: the next one goes on at once, with the usual lease. */
@Tag("timing")
class KilledProcessTest {

    private static final int ROUNDS = 3;
    private static final Duration PROGRESS_MAX = Duration.ofMillis(1_500);

    @TempDir
    Path folder;

    private static Flow<String, String> flow(Runnable second) {
        return Flow.named("work", String.class, String.class, (context, input) -> {
            context.step("first", String.class, () -> "done");
            context.step("second", String.class, () -> {
                second.run();
                return "done";
            });
            return input;
        });
    }

    @Test
    void nextProcessGoesOnAtOnceAfterAKill() throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Path file = folder.resolve("work-" + round + ".db");
            killInTheMiddle(file);
            CountDownLatch progress = new CountDownLatch(1);
            Flow<String, String> flow = flow(progress::countDown);

            long start = System.nanoTime();
            try (Pawl pawl = Pawl.open(file, flow)) {
                assertThat(progress.await(60, TimeUnit.SECONDS)).isTrue();
                times.add(Duration.ofNanos(System.nanoTime() - start));
                assertThat(pawl.workflow(flow, "w").result(Duration.ofSeconds(30))).isEqualTo("x");
            }
        }
        System.out.println("from open to the first progress after kill -9 on SQLite: " + times);
        // Any round that waits for a lease takes at least 6 s; the others are at the mercy of the machine.
        assertThat(times).allSatisfy(time -> assertThat(time).isLessThan(Duration.ofSeconds(5)));
        assertThat(Collections.min(times)).isLessThan(PROGRESS_MAX);
    }

    private static void killInTheMiddle(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), Victim.class.getName(), file.toString())
                .redirectErrorStream(true).start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = said.readLine();
            while (line != null && !line.equals(Victim.MIDDLE)) {
                line = said.readLine();
            }
            assertThat(line).isEqualTo(Victim.MIDDLE);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The process that is killed. */
    static final class Victim {

        static final String MIDDLE = "in the middle";

        private Victim() {
        }

        public static void main(String[] args) throws InterruptedException {
            Flow<String, String> flow = flow(() -> {
                System.out.println(MIDDLE);
                stay();
            });
            try (Pawl pawl = Pawl.open(Path.of(args[0]), flow)) {
                pawl.start(flow, "w", "x");
                stay();
            }
        }

        private static void stay() {
            try {
                Thread.sleep(Duration.ofMinutes(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
