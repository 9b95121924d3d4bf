package dev.pawl.lab.torture;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A real PostgreSQL server from a jar, that can be made to crash and be started again on the same files. Loopback only. */
final class PgServer implements AutoCloseable {

    static final String USER = "postgres";

    private static final int TICK_MILLIS = 10;
    private static final int GONE_MILLIS_MAX = 30_000;

    private final Path data;
    private final int port;
    private EmbeddedPostgres server;

    PgServer(Path data) throws IOException {
        this.data = data;
        this.port = freePort();
        this.server = start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).setPort(port)
                // What the jar sets by default is for tests that need no durability.
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("listen_addresses", "localhost")
                // Small, so that pages are written and checkpoints made while the test lasts.
                .setServerConfig("shared_buffers", "16MB")
                .setServerConfig("checkpoint_timeout", "30s")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    int port() {
        return port;
    }

    String url() {
        return url(port);
    }

    static String url(int port) {
        // Encrypted traffic could not be followed by the proxy, and on loopback nobody needs it.
        return "jdbc:postgresql://localhost:" + port + "/postgres?sslmode=disable&gssEncMode=disable";
    }

    /** An immediate shutdown: every process of the server ends at once and writes nothing more, as after a crash. */
    void crash() throws IOException, InterruptedException {
        long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
        ChildProcess.signal(pid, "QUIT");
        for (int waited = 0; ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false); waited += TICK_MILLIS) {
            if (waited > GONE_MILLIS_MAX) {
                throw new IOException("the server does not end");
            }
            Thread.sleep(TICK_MILLIS);
        }
        // Nothing is left to stop; this gives its lock back.
        server.close();
    }

    /** On the files the crash has left: it recovers from its log first. */
    void startAgain() throws IOException {
        server = start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
