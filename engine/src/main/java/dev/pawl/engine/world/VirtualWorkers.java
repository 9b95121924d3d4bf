package dev.pawl.engine.world;

import dev.pawl.engine.task.Dispatcher;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Workers in the same process, each task on a virtual thread: the user's code may block as it likes. */
public final class VirtualWorkers implements Dispatcher, AutoCloseable {

    private final Map<String, Function<Task, Payload>> byQueue;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile BiConsumer<Task, Response> answers = (task, response) -> {};

    public VirtualWorkers(Map<String, Function<Task, Payload>> byQueue) {
        this.byQueue = Map.copyOf(byQueue);
    }

    /** Where the answers go: to the engine, which has to be made after its workers. */
    public void answerTo(BiConsumer<Task, Response> whom) {
        answers = whom;
    }

    @Override
    public void dispatch(Task task) {
        threads.execute(() -> answers.accept(task, work(task)));
    }

    private Response work(Task task) {
        Function<Task, Payload> worker = byQueue.get(task.queue());
        if (worker == null) {
            return failure("no worker for queue " + task.queue());
        }
        try {
            return new Response.Final(worker.apply(task));
        } catch (RuntimeException e) {
            return failure(String.valueOf(e.getMessage()));
        }
    }

    private static Response failure(String message) {
        return new Response.Failure(Payload.of(message.getBytes(StandardCharsets.UTF_8)));
    }

    /** Waits for the tasks under way. */
    @Override
    public void close() {
        threads.close();
    }
}
