package dev.pawl.lab.torture;

import dev.pawl.engine.store.Fence;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the world outside the database has been told, one line each, in a plain file: written after the answer and never before
 * it, so that every line is a promise the engine has made. A line is one write to the system, which outlives the process.
 *
 * <p>Safe for use by many threads of one process.
 */
final class OutsideLog implements AutoCloseable {

    private final FileChannel file;

    OutsideLog(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client turns to a scenario. The one line that comes before what it tells of: a start that nobody heard of counts. */
    void begun(int scenario) {
        append("begin " + scenario);
    }

    /** Everything a client wanted of a scenario was acknowledged. */
    void served(int scenario) {
        append("served " + scenario);
    }

    void started(String workflowId) {
        append("start " + workflowId);
    }

    void signalled(String workflowId, String topic, String signalId, long acceptedAtMillis) {
        append("signal " + workflowId + " " + topic + " " + signalId + " " + acceptedAtMillis);
    }

    void interrupted(String workflowId) {
        append("interrupt " + workflowId);
    }

    /** Somebody has read a workflow in this state. */
    void seen(WorkflowRecord workflow) {
        append("seen " + workflow.key().workflowId() + " " + workflow.version() + " " + workflow.chain() + " "
                + workflow.status());
    }

    /** A worker is called; written before it answers. */
    void called(String workflowId, String activity, int attempt) {
        append("call " + workflowId + " " + activity + " " + attempt);
    }

    /** An engine was told that a shard is its own, or still is. */
    void owned(Fence fence, String owner) {
        append("own " + fence.shard().number() + " " + fence.epoch() + " " + owner);
    }

    /**
     * An engine was told that its bundles are durable.
     *
     * @param versions the versions they made, as {@code id:version} with commas between them
     */
    void committed(Fence fence, String owner, String versions) {
        append("commit " + fence.shard().number() + " " + fence.epoch() + " " + owner + " " + versions);
    }

    /** An answer that no client may get, or an engine that is broken: a violation, whatever the store says. */
    void wrong(String what) {
        append("wrong " + what.replace('\n', ' '));
    }

    /** Something that went wrong and may, such as a store that was away. */
    void note(String what) {
        append("note " + what.replace('\n', ' '));
    }

    private synchronized void append(String line) {
        try {
            file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
