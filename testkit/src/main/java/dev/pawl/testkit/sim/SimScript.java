package dev.pawl.testkit.sim;

import dev.pawl.engine.Definition;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is played in a simulated world: definitions, what happens from outside, how workers answer, and what must come of it. */
public interface SimScript {

    String NAMESPACE = "sim";
    String GROUP = "shop";

    String name();

    List<Definition> definitions();

    List<Begin> starts();

    List<Stimulus> stimuli();

    /** The answer of a worker: always the same to the same task. */
    Response work(Task task);

    /** True if the whole durable state in the end depends on neither time nor order. */
    boolean exact();

    /** What is wrong with the end of the run, by an account that knows nothing of the engine. */
    List<String> judge(SimStore store);

    /** A workflow to be started from outside. */
    record Begin(String workflowId, String definition, String version, Payload input) {
    }

    /** Something else from outside. It is sent again until somebody hears that it has arrived. */
    @FunctionalInterface
    interface Stimulus {

        /** Returns null if it has arrived, or why it must be sent again later. */
        @Nullable String send(Store store, Instant now);
    }
}
