package dev.pawl.lab.bench;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import java.util.Locale;

/** Workflows to measure. Every step is durable before the next one starts; what it comes to is about 100 bytes of JSON. */
enum FlowWorkload {
    /** Ten steps, one after the other. */
    W1(10) {
        @Override
        Answer run(FlowContext flow, int input) {
            return inSequence(flow, input, 10);
        }
    },
    /** One step. */
    W2(1) {
        @Override
        Answer run(FlowContext flow, int input) {
            return inSequence(flow, input, 1);
        }
    },
    /** Parked until a signal comes. */
    W3(1) {
        @Override
        Answer run(FlowContext flow, int input) {
            return flow.signal(SIGNAL, Answer.class);
        }
    };

    static final String SIGNAL = "go";

    private static final String TEXT = "what a step comes to, with about as much in it as a small record has";

    private final int steps;

    FlowWorkload(int steps) {
        this.steps = steps;
    }

    /** 100 bytes, give or take a digit. */
    record Answer(int number, int input, String text) {
    }

    abstract Answer run(FlowContext flow, int input);

    static Answer answer(int input, int number) {
        return new Answer(number, input, TEXT);
    }

    static Answer inSequence(FlowContext flow, int input, int count) {
        Answer last = answer(input, 0);
        for (int i = 1; i <= count; i++) {
            int number = i;
            last = flow.step("step", Answer.class, () -> answer(input, number));
        }
        return last;
    }

    /** How many durable steps one workflow has; a signal counts as one. */
    int steps() {
        return steps;
    }

    Flow<Integer, Answer> definition() {
        return Flow.named(name().toLowerCase(Locale.ROOT), Integer.class, Answer.class, this::run);
    }
}
