package dev.pawl.lab.bench;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The workloads as flows.
 *
 * @param fanOut how many steps side by side
 */
record PawlFlows(int fanOut) {

    private static final Duration SLEEP = Duration.ofDays(1);

    Flow<Integer, Answer> of(FlowWorkload workload) {
        return Flow.named(workload.label(), Integer.class, Answer.class, switch (workload) {
            case W1 -> (flow, input) -> inSequence(flow, input, FlowWorkload.STEPS);
            case W2 -> (flow, input) -> inSequence(flow, input, 1);
            case W3 -> (flow, input) -> flow.signal(FlowWorkload.SIGNAL, Answer.class);
            case W4 -> this::sideBySide;
            case W5 -> PawlFlows::asleep;
        });
    }

    private static Answer inSequence(FlowContext flow, int input, int count) {
        Answer last = FlowWorkload.answer(input, 0);
        for (int i = 1; i <= count; i++) {
            int number = i;
            last = flow.step("step", Answer.class, () -> FlowWorkload.answer(input, number));
        }
        return last;
    }

    private Answer sideBySide(FlowContext flow, int input) {
        List<Integer> numbers = IntStream.rangeClosed(1, fanOut).boxed().toList();
        List<Answer> answers = flow.map(numbers, fanOut,
                (branch, number) -> branch.step("step", Answer.class, () -> FlowWorkload.answer(input, number)));
        return FlowWorkload.answer(input, answers.stream().mapToInt(Answer::number).sum());
    }

    private static Answer asleep(FlowContext flow, int input) {
        flow.sleep(SLEEP);
        return FlowWorkload.answer(input, 1);
    }
}
