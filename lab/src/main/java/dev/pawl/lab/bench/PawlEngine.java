package dev.pawl.lab.bench;

import dev.pawl.Pawl;
import dev.pawl.WorkflowHandle;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Store;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Pawl as an application has it: with its default settings, in the process of its clients. */
final class PawlEngine implements OpenEngine {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Pawl pawl;
    private final Map<FlowWorkload, Flow<Integer, Answer>> flows = new EnumMap<>(FlowWorkload.class);

    PawlEngine(Store store, int shards, int fanOut) {
        PawlFlows definitions = new PawlFlows(fanOut);
        for (FlowWorkload workload : FlowWorkload.values()) {
            flows.put(workload, definitions.of(workload));
        }
        pawl = Pawl.builder().store(store).shards(shards).definitions(List.copyOf(flows.values())).open();
    }

    @Override
    public Begun start(FlowWorkload workload, int number) {
        Flow<Integer, Answer> flow = flows.get(workload);
        if (flow == null) {
            throw new IllegalArgumentException("no flow for " + workload);
        }
        return new Started(pawl.start(flow, workload.label() + "-" + number, number));
    }

    private record Started(WorkflowHandle<Answer> handle) implements Begun {

        @Override
        public Answer result() {
            return handle.result(PATIENCE);
        }

        @Override
        public void signal(Answer payload) {
            handle.signal(FlowWorkload.SIGNAL, payload);
        }

        @Override
        public int durableSteps() {
            return handle.operations().size();
        }
    }

    @Override
    public void close() {
        pawl.close();
    }
}
