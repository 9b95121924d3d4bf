package dev.pawl.lab.torture;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection through the proxy, read as far as it takes to know where a request ends and whether it commits: the messages
 * up to a Sync or a simple Query, and the texts of the statements they bind.
 */
final class PgConnection {

    private static final Pattern WRITES = Pattern.compile("\\b(insert|update|delete)\\b");
    private static final int LATE_MILLIS = 700;

    private final PgProxy proxy;
    private final Socket client;
    private final Socket server;
    private final Map<String, String> statements = new HashMap<>();
    private boolean inTransaction;
    private boolean wrote;
    private volatile boolean deaf;

    PgConnection(PgProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    void start() throws IOException {
        // Whole messages are written at once: to wait for more would only make everything 40 ms late.
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Thread.ofPlatform().name("proxy-requests").daemon().start(() -> run(this::requests));
        Thread.ofPlatform().name("proxy-answers").daemon().start(() -> run(this::answers));
    }

    /** Ends with whoever hangs up first. */
    private interface Pump {

        void run() throws IOException, InterruptedException;
    }

    private void run(Pump pump) {
        try {
            pump.run();
        } catch (IOException e) {
            // One of the two has hung up.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end();
    }

    void end() {
        close(client);
        close(server);
        proxy.ended(this);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed either way.
        }
    }

    private void requests() throws IOException, InterruptedException {
        DataInputStream from = new DataInputStream(client.getInputStream());
        OutputStream to = server.getOutputStream();
        to.write(startup(from));
        while (true) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            boolean commits = false;
            int type;
            do {
                type = from.readUnsignedByte();
                byte[] body = body(from);
                message(request, type, body);
                commits |= commits(text(type, body).toLowerCase(Locale.ROOT).strip());
            } while (type != 'S' && type != 'Q' && type != 'X' && type != 'H');
            PgProxy.Loss loss = commits ? proxy.strike() : null;
            if (loss == null) {
                to.write(request.toByteArray());
            } else {
                lose(loss, request.toByteArray(), to);
                return;
            }
        }
    }

    /** Whether a statement makes something durable: it writes and is alone, or it commits what others have written. */
    private boolean commits(String statement) {
        boolean writes = WRITES.matcher(statement).find();
        if (statement.startsWith("begin")) {
            inTransaction = true;
            wrote = false;
        } else if (statement.startsWith("commit")) {
            inTransaction = false;
            return wrote;
        } else if (statement.startsWith("rollback")) {
            inTransaction = false;
        } else {
            wrote |= writes;
        }
        return writes && !inTransaction;
    }

    private void lose(PgProxy.Loss loss, byte[] request, OutputStream to) throws IOException, InterruptedException {
        switch (loss) {
            case REQUEST -> {}
            case ANSWER -> {
                deaf = true;
                to.write(request);
                // The other thread hangs up when it has heard the answer to the end.
                Thread.sleep(LATE_MILLIS);
            }
            case BOTH -> to.write(request);
            case LATE -> {
                deaf = true;
                close(client);
                Thread.sleep(LATE_MILLIS);
                to.write(request);
                Thread.sleep(LATE_MILLIS);
            }
        }
    }

    private void answers() throws IOException {
        DataInputStream from = new DataInputStream(server.getInputStream());
        OutputStream to = client.getOutputStream();
        while (true) {
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            int type = from.readUnsignedByte();
            message(answer, type, body(from));
            if (!deaf) {
                to.write(answer.toByteArray());
            } else if (type == 'Z') {
                return;
            }
        }
    }

    /** The first packet has no type. */
    private static byte[] startup(DataInputStream from) throws IOException {
        byte[] body = body(from);
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        new DataOutputStream(packet).writeInt(body.length + Integer.BYTES);
        packet.write(body);
        return packet.toByteArray();
    }

    private static byte[] body(DataInputStream from) throws IOException {
        return from.readNBytes(from.readInt() - Integer.BYTES);
    }

    private static void message(ByteArrayOutputStream to, int type, byte[] body) throws IOException {
        DataOutputStream packet = new DataOutputStream(to);
        packet.writeByte(type);
        packet.writeInt(body.length + Integer.BYTES);
        packet.write(body);
    }

    /** The statement that a message executes; a bound one was parsed before, perhaps long ago. */
    private String text(int type, byte[] body) {
        return switch (type) {
            case 'Q' -> string(body, 0);
            case 'P' -> {
                String name = string(body, 0);
                statements.put(name, string(body, length(name) + 1));
                yield "";
            }
            case 'B' -> known(string(body, length(string(body, 0)) + 1));
            default -> "";
        };
    }

    private String known(String name) {
        @Nullable String text = statements.get(name);
        return text == null ? "" : text;
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String string(byte[] bytes, int from) {
        int end = from;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }
}
