package dev.pawl.lab.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Shop} in a process of its own. Closing it leaves nothing running. */
final class ShopProcess implements AutoCloseable {

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
        this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
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

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
