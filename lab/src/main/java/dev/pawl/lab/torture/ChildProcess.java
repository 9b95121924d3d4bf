package dev.pawl.lab.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A {@link Child} or {@link FlowChild}, seen from the process that tortures it. Closing it leaves nothing running. */
final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final Thread hook;

    private ChildProcess(Process process) {
        this.process = process;
        // A process that was stopped would not notice that nobody is left to wake it.
        this.hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts a child.
     *
     * @param before what stands before the command, such as a tracer that becomes the child's own grandchild; may be empty
     */
    static ChildProcess start(Path folder, List<String> before, List<String> arguments) {
        return start(folder, before, Child.class, arguments);
    }

    /** Starts a process of another class. */
    static ChildProcess start(Path folder, List<String> before, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Started hundreds of times, for a second or two each.
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        try {
            return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("child.log").toFile())).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells it to finish what was begun, and to end. */
    void calm() {
        order("calm");
    }

    /** Writes a line to its standard input. */
    void order(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for its end; false if it still runs after so long. */
    boolean ended(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Runs something as soon as it has ended. */
    void onEnd(Runnable then) {
        CompletableFuture<Void> unused = process.onExit().thenRun(then);
    }

    int exitCode() {
        return process.exitValue();
    }

    /** SIGKILL, and gone when this returns. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM: it is asked to end. */
    void terminate() throws InterruptedException {
        signal("TERM");
    }

    /** SIGSTOP: as if its machine had stood still. */
    void stop() throws InterruptedException {
        signal("STOP");
    }

    /** SIGCONT: it does not know that any time has passed. */
    void goOn() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws InterruptedException {
        signal(process.pid(), name);
    }

    /** Sends a signal to a process that this program has started. */
    static void signal(long pid, String name) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it has printed. */
    static String printed(Path folder) {
        try {
            return Files.readString(folder.resolve("child.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
