package dev.pawl.store.sqlite;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.PawlException;
import dev.pawl.engine.store.ShardId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A second process that opens a file: {@link #main} runs there, the rest here. */
final class OtherProcess implements AutoCloseable {

    private static final String STAY = "stay";

    private final Process process;
    private final BufferedReader said;

    private OtherProcess(Path file, String how) throws IOException {
        process = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), OtherProcess.class.getName(),
                file.toString(), how).redirectErrorStream(true).start();
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Opens the file there and closes it again; returns what came of it. */
    static String open(Path file) throws IOException {
        try (OtherProcess other = new OtherProcess(file, "leave")) {
            return other.answer();
        }
    }

    /** Opens the file there and holds all its shards, until it is killed. */
    static OtherProcess holding(Path file) throws IOException {
        OtherProcess other = new OtherProcess(file, STAY);
        other.answer();
        return other;
    }

    private String answer() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            all.append(line).append('\n');
            if (line.startsWith("opened") || line.startsWith("refused")) {
                return line;
            }
        }
        throw new AssertionError("the other process has ended: " + all);
    }

    /** As by {@code kill -9}. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    public static void main(String[] args) throws InterruptedException {
        try (SqliteStore store = SqliteStore.open(Path.of(args[0]))) {
            boolean stay = args[1].equals(STAY);
            if (stay) {
                store.createShards("test", "shop", 1);
                store.claim(new ShardId("test", "shop", 0), "the other", Duration.ofMinutes(5), EngineSettings.FORMAT);
                store.renewAll("test", "shop", "the other", Duration.ofMinutes(5), true);
            }
            System.out.println("opened, " + store.leases("test", "shop").size() + " shards");
            if (stay) {
                Thread.sleep(Duration.ofMinutes(2));
            }
        } catch (PawlException e) {
            System.out.println("refused: " + e.code() + " " + e.getMessage());
        }
    }
}
