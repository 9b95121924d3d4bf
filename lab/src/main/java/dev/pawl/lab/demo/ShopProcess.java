package dev.pawl.lab.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Shop} in a process of its own; its log and its errors go to a file. Closing it leaves nothing running. */
final class ShopProcess implements AutoCloseable {

    private static final String LOG = "shop.log";

    private final Path log;
    private final Process process;
    private final BufferedReader said;
    private final Thread hook;

    /**
     * Starts one.
     *
     * @param deadly the step in which it stays until it is killed; null for none
     */
    ShopProcess(Path folder, @Nullable String deadly) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), Shop.class.getName(), folder.toString()));
        if (deadly != null) {
            command.add(deadly);
        }
        this.log = folder.resolve(LOG);
        this.process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
        this.said = process.inputReader(StandardCharsets.UTF_8);
        this.hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    long pid() {
        return process.pid();
    }

    /** The next thing it says; null when it has ended. */
    @Nullable String next() throws IOException {
        return said.readLine();
    }

    /** SIGKILL: it gets no chance to do anything about it, and is gone when this returns. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    /** What this process and the ones before it in the same folder have logged. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
