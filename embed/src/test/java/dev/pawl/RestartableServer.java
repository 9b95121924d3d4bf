package dev.pawl;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server of a test's own, on loopback, that can be stopped at once and started again on the same files. */
final class RestartableServer implements AutoCloseable {

    private final Path data;
    private final int port;
    private EmbeddedPostgres server;

    RestartableServer(Path folder) throws IOException {
        this.data = folder.resolve("data");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
        this.server = launch();
    }

    private EmbeddedPostgres launch() throws IOException {
        return EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).setPort(port)
                .setServerConfig("fsync", "on").setServerConfig("synchronous_commit", "on")
                .setServerConfig("listen_addresses", "localhost").setPGStartupWait(Duration.ofSeconds(60)).start();
    }

    String url() {
        return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres&password=postgres";
    }

    /** As after a crash: every process of the server ends at once, and the next start recovers from the log. */
    void crash() throws IOException, InterruptedException {
        ProcessHandle postmaster = ProcessHandle.of(
                Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip())).orElseThrow();
        new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster.pid())).inheritIO().start().waitFor();
        for (int i = 0; i < 3_000 && postmaster.isAlive(); i++) {
            Thread.sleep(10);
        }
        server.close();
    }

    void start() throws IOException {
        server = launch();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
