package dev.pawl.store.postgres;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A wire to the server that counts how often the client waits for an answer, and that can be cut before the answer comes. */
final class Wire implements AutoCloseable {

    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    private final AtomicInteger trips = new AtomicInteger();
    private volatile boolean deaf;

    Wire(int port) throws IOException {
        this.port = port;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    String url() {
        // Without encryption, so that the messages can be told apart.
        return "jdbc:postgresql://localhost:" + door.getLocalPort() + "/postgres?sslmode=disable&gssEncMode=disable";
    }

    int trips() {
        return trips.get();
    }

    /** From now on nothing comes back: whoever waits for an answer finds the wire cut. */
    void cutAnswers() {
        deaf = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> there(client, server));
                Thread.ofPlatform().daemon().start(() -> back(server, client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** Message by message: the first has no letter, each other one a letter, its length and its bytes. */
    private void there(Socket client, Socket server) {
        try (client; server) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(server.getOutputStream());
            for (boolean first = true;; first = false) {
                int letter = first ? 0 : in.readUnsignedByte();
                int length = in.readInt();
                byte[] body = in.readNBytes(length - Integer.BYTES);
                // Sync and the simple query: what the server answers to, and the client waits for.
                if (letter == 'S' || letter == 'Q') {
                    trips.incrementAndGet();
                }
                if (!first) {
                    out.writeByte(letter);
                }
                out.writeInt(length);
                out.write(body);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One of them has hung up.
        }
    }

    private void back(Socket server, Socket client) {
        try (client; server) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0 && !deaf; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One of them has hung up.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
