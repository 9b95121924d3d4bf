package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of two engine processes on a server is killed: from then on its workflows stand still until the other one has taken over. That takes
 * at most the lease and two seconds, also if the server crashes in between and recovers.
 */
@Tag("timing")
class TakeoverTest {

    private static final int WORKFLOWS = 40;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration RENEWAL = Duration.ofSeconds(1);
    private static final Duration BEYOND_THE_LEASE = Duration.ofSeconds(2);
    private static final int KILLS = Integer.getInteger("pawl.takeover.kills", 2);

    @TempDir
    private Path folder = Path.of("");

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private Path log() {
        return folder.resolve("ticks.log");
    }

    private Process start(String url, Duration lease, Duration renewal) throws IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), TickingProcess.class.getName(), url,
                String.valueOf(lease.toMillis()), String.valueOf(renewal.toMillis()), log().toString())
                .redirectErrorStream(true).redirectOutput(folder.resolve("process.log").toFile()).start();
        processes.add(process);
        return process;
    }

    private List<String[]> ticks() throws IOException {
        return Files.exists(log()) ? Files.readAllLines(log()).stream().map(line -> line.split(" ", 3))
                .filter(each -> each.length == 3).toList() : List.of();
    }

    /** Every workflow has gone on since then, in which of the processes there were. */
    private Set<String> since(long millis) throws IOException {
        Set<String> workflows = new HashSet<>();
        ticks().stream().filter(each -> Long.parseLong(each[0]) >= millis).forEach(each -> workflows.add(each[2]));
        return workflows;
    }

    private void awaitAll(long since, Duration patience) throws IOException, InterruptedException {
        long until = System.currentTimeMillis() + patience.toMillis();
        while (since(since).size() < WORKFLOWS && System.currentTimeMillis() < until) {
            Thread.sleep(50);
        }
        assertThat(since(since)).hasSize(WORKFLOWS);
    }

    /** Both processes have some of them: then a kill stops some. */
    private void awaitShared(Process one, Process other) throws IOException, InterruptedException {
        for (int i = 0; i < 600; i++) {
            long recently = System.currentTimeMillis() - 2_000;
            Map<String, Integer> shares = new HashMap<>();
            ticks().stream().filter(each -> Long.parseLong(each[0]) >= recently)
                    .forEach(each -> shares.merge(each[1], 1, Integer::sum));
            if (shares.getOrDefault("" + one.pid(), 0) > 5 && shares.getOrDefault("" + other.pid(), 0) > 5) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the processes do not share the workflows: "
                + Files.readString(folder.resolve("process.log")));
    }

    /** From the kill to the next step of the workflow that waited longest. */
    private Duration takeover(long killed) throws IOException {
        Map<String, Long> next = new HashMap<>();
        ticks().forEach(each -> {
            long at = Long.parseLong(each[0]);
            if (at >= killed) {
                next.merge(each[2], at, Math::min);
            }
        });
        return Duration.ofMillis(next.values().stream().mapToLong(at -> at - killed).max().orElseThrow());
    }

    private interface Meanwhile {

        void run() throws Exception;
    }

    private List<Duration> kill(RestartableServer server, Duration lease, Duration renewal, Meanwhile meanwhile)
            throws Exception {
        Process victim = start(server.url(), lease, renewal);
        try (Pawl client = Pawl.builder().url(server.url()).lease(lease, renewal)
                .definitions(TickingProcess.flow(log())).open()) {
            for (int i = 0; i < WORKFLOWS; i++) {
                client.start(TickingProcess.flow(log()), "w" + i, 0);
            }
        }
        Process survivor = start(server.url(), lease, renewal);
        List<Duration> measured = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            awaitShared(victim, survivor);
            long killed = System.currentTimeMillis();
            victim.destroyForcibly();
            victim.waitFor();
            meanwhile.run();
            awaitAll(killed, lease.plusSeconds(60));
            measured.add(takeover(killed));
            victim = survivor;
            survivor = start(server.url(), lease, renewal);
        }
        System.out.println("takeover with a lease of " + lease + ": " + measured);
        return measured;
    }

    @Test
    void workflowsOfAKilledProcessGoOnWithinTheLeaseAndTwoSeconds() throws Exception {
        try (RestartableServer server = new RestartableServer(folder)) {
            assertThat(kill(server, LEASE, RENEWAL, () -> {}))
                    .allSatisfy(each -> assertThat(each).isLessThan(LEASE.plus(BEYOND_THE_LEASE)));
        }
    }

    /** The lease runs on while the server is away; what the survivor waits for in addition is the server. */
    @Test
    void crashOfTheServerInBetweenAddsNoMoreThanItsOwnTime() throws Exception {
        try (RestartableServer server = new RestartableServer(folder)) {
            List<Long> away = new ArrayList<>();
            List<Duration> measured = kill(server, LEASE, RENEWAL, () -> {
                long began = System.currentTimeMillis();
                server.crash();
                server.start();
                away.add(System.currentTimeMillis() - began);
            });
            System.out.println("the server was away for " + away + " ms");
            for (int i = 0; i < measured.size(); i++) {
                assertThat(measured.get(i)).isLessThan(LEASE.plus(BEYOND_THE_LEASE).plusMillis(away.get(i)));
            }
        }
    }

    @Test
    void defaultLeaseBoundsTheTakeoverToo() throws Exception {
        Assumptions.assumeTrue(Boolean.getBoolean("pawl.takeover.default"),
                "takes a minute: -Dpawl.takeover.default=true");
        try (RestartableServer server = new RestartableServer(folder)) {
            Duration lease = Duration.ofSeconds(15);
            assertThat(kill(server, lease, Duration.ofSeconds(5), () -> {}))
                    .allSatisfy(each -> assertThat(each).isLessThan(lease.plus(BEYOND_THE_LEASE)));
        }
    }
}
