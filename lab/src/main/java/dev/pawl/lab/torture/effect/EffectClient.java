package dev.pawl.lab.torture.effect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** How a tortured process reaches the {@link EffectServer}: a connection for each call under way. Safe for use by many threads. */
public final class EffectClient {

    private final int port;
    private final String process;
    private final Deque<Line> idle = new ConcurrentLinkedDeque<>();

    /** One connection. */
    private record Line(Socket socket, BufferedReader from) {

        static Line open(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            return new Line(socket,
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
        }
    }

    public EffectClient(int port, String process) {
        this.port = port;
        this.process = process;
    }

    private String ask(Object... words) {
        StringBuilder request = new StringBuilder();
        for (Object word : words) {
            request.append(request.isEmpty() ? "" : EffectServer.TAB).append(word);
        }
        try {
            @Nullable Line known = idle.poll();
            Line line = known == null ? Line.open(port) : known;
            line.socket().getOutputStream().write((request + "\n").getBytes(StandardCharsets.UTF_8));
            String answer = line.from().readLine();
            if (answer == null) {
                throw new IOException("the server of effects has hung up");
            }
            idle.push(line);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int begun(String workflow, FlowPlan.Operation operation, int attempt, String key, long nanos) {
        return Integer.parseInt(
                ask("begun", process, workflow, operation.name(), operation.level(), attempt, key, nanos));
    }

    String happened(int run) {
        return ask("happened", run);
    }

    void ended(int run, boolean returned) {
        ask("ended", run, System.nanoTime(), returned);
    }

    String look(String key) {
        return ask("look", process, key);
    }

    public void renewed(long sentNanos, long ttlNanos, boolean shares) {
        ask("renewed", process, sentNanos, ttlNanos, shares);
    }

    /** A shard is this process's now. */
    public void owned(int shard, long epoch) {
        ask("owned", process, shard, epoch, System.nanoTime());
    }

    /** The number of a workflow to start, or a negative number. */
    public int next() {
        return Integer.parseInt(ask("next"));
    }

    public void confirmed(int number) {
        ask("confirmed", number);
    }

    void finished(int number) {
        ask("finished", number);
    }

    public void note(String text) {
        ask("note", process + ": " + text.replaceAll("\\s+", " "));
    }
}
