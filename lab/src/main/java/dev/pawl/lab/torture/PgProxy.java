package dev.pawl.lab.torture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands between an engine and its server, on loopback, and loses what it is told to lose: one request at a time. */
final class PgProxy implements AutoCloseable {

    /** What becomes of a request that commits, and of the connection it came by. */
    enum Loss {
        /** The server never gets it. */
        REQUEST,
        /** The server executes it, and nobody hears. */
        ANSWER,
        /** The server gets it, and finds nobody there while it executes it. */
        BOTH,
        /** The client is cut off at once, and the server gets it when everybody has given it up. */
        LATE
    }

    private final ServerSocket entrance;
    private final int server;
    private final Set<PgConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Loss> armed = new AtomicReference<>();
    private final AtomicInteger losses = new AtomicInteger();

    PgProxy(int server) throws IOException {
        this.server = server;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().name("proxy").daemon().start(this::accept);
    }

    String url() {
        return PgServer.url(entrance.getLocalPort());
    }

    /** The next request that commits something gets lost, whoever makes it. */
    void arm(Loss loss) {
        armed.set(loss);
    }

    /** How many were lost so far. */
    int losses() {
        return losses.get();
    }

    /** What is to become of a request that commits: mostly nothing special, which is null. */
    @Nullable Loss strike() {
        Loss loss = armed.getAndSet(null);
        if (loss != null) {
            losses.incrementAndGet();
        }
        return loss;
    }

    void ended(PgConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                PgConnection connection =
                        new PgConnection(this, client, new Socket(InetAddress.getLoopbackAddress(), server));
                connections.add(connection);
                connection.start();
            } catch (IOException e) {
                // Closed, or the server is not there: whoever called will see it.
            }
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        connections.forEach(PgConnection::end);
    }
}
