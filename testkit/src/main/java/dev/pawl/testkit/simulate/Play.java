package dev.pawl.testkit.simulate;

import dev.pawl.engine.Definition;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.testkit.scenario.Effect;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What is played in a simulated world: who starts what, what runs, and how it must end. */
public interface Play {

    /** The code as one process has it. */
    List<Definition> definitions(Site site);

    List<Start> starts();

    List<Stimulus> stimuli();

    /** What the kernel gets to see of a start. */
    Message.Start message(Start start);

    /** What a worker outside answers. */
    Response answer(Task task);

    /** What is wrong with the end of a run that the store itself finds nothing wrong with; one line each. */
    List<String> differences(List<Snapshot> ends, List<Effect> effects);

    /** What was seen to go wrong in passing. */
    default List<String> violations() {
        return List.of();
    }

    /** Somebody decides something that is asked of people; false if there is nothing to decide. */
    default boolean decide(Store store, RandomGenerator random, Instant now) {
        return false;
    }

    /** Whether there are flows in it. */
    default boolean flows() {
        return false;
    }

    /** How many steps without faults must be enough: hours of sleep are thousands of lease renewals. */
    default int calmStepsMax() {
        return 2_000_000;
    }

    /** How one process writes and reads the values of flows. */
    default Codec codec(Site site) {
        return SimCodec.INSTANCE;
    }

    /** How many flows that wait are kept as they are. */
    default int waitingMax() {
        return 1;
    }

    /** What flows hand in, on its way; for seeded bugs. */
    default Consumer<Submission> submitting(Consumer<Submission> engine) {
        return engine;
    }

    /** The lease that attempts begin under; for seeded bugs. */
    default ProcessLease lease(ProcessLease engine) {
        return engine;
    }

    /** A definition as the kernel asks it; for seeded bugs. */
    default Definition asked(Definition definition) {
        return definition;
    }

    /** What flows are told, on its way; for seeded bugs. */
    default FlowHost host(FlowHost runtime) {
        return runtime;
    }

    /** One process, as the code that runs in it sees it. */
    record Site(String name, SimThreads threads) {
    }

    /** For strays: some workflow of the play. */
    default WorkflowKey somebody() {
        return message(starts().getFirst()).workflow();
    }
}
