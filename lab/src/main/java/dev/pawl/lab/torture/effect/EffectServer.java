package dev.pawl.lab.torture.effect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The outside world of tortured flows, on loopback: one line asks, one line answers, and whatever happens to the process that asks, what
 * it said is known here. Safe for use by many threads.
 */
public final class EffectServer implements AutoCloseable {

    /** Between the words of a line. */
    static final String TAB = "\t";

    private static final int BACKLOG = 1_000;

    private final ServerSocket socket;
    private final EffectLog log = new EffectLog();
    private final Tickets tickets;

    public EffectServer(Tickets tickets) throws IOException {
        this.tickets = tickets;
        this.socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().name("effects").daemon().start(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    public EffectLog log() {
        return log;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                Thread.ofPlatform().name("effect").daemon().start(() -> serve(client));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader from =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                OutputStream to = client.getOutputStream()) {
            client.setTcpNoDelay(true);
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                to.write((answer(line.split(TAB, -1)) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The process is gone; what it said counts.
        }
    }

    private String answer(String[] words) {
        return switch (words[0]) {
            case "begun" -> Integer.toString(log.begun(words[1], words[2], words[3], Level.valueOf(words[4]),
                    Integer.parseInt(words[5]), words[6], Long.parseLong(words[7])));
            case "happened" -> log.happened(Integer.parseInt(words[1]), System.nanoTime());
            case "ended" -> {
                log.ended(Integer.parseInt(words[1]), Long.parseLong(words[2]), Boolean.parseBoolean(words[3]));
                yield "";
            }
            case "look" -> log.look(words[1], words[2], System.nanoTime());
            case "renewed" -> {
                log.renewed(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]),
                        Boolean.parseBoolean(words[4]));
                yield "";
            }
            case "owned" -> {
                log.owned(words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
                yield "";
            }
            case "next" -> Integer.toString(tickets.next(System.nanoTime()));
            case "confirmed" -> {
                tickets.confirmed(Integer.parseInt(words[1]));
                yield "";
            }
            case "finished" -> {
                tickets.finished(Integer.parseInt(words[1]));
                yield "";
            }
            case "note" -> {
                log.note(words[1]);
                yield "";
            }
            default -> throw new IllegalArgumentException("no such request: " + words[0]);
        };
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
