package dev.pawl.lab.bench;

import java.util.Locale;

/**
 * Workflows to measure, the same for every engine. Every step is durable before the next one starts; what it comes to is about 100
 * bytes of JSON. The code of each is in {@link PawlFlows} and in {@link DbosFlows}.
 */
enum FlowWorkload {
    /** Ten steps, one after the other. */
    W1("ten steps in a row"),
    /** One step. */
    W2("one step"),
    /** Parked until a signal comes. */
    W3("parked on a signal"),
    /** Many steps side by side, and a join. */
    W4("fan-out with a join"),
    /** Asleep for an hour, many at once. */
    W5("asleep");

    static final String SIGNAL = "go";
    static final int STEPS = 10;

    private static final String TEXT = "what a step comes to, with about as much in it as a small record has";

    private final String title;

    FlowWorkload(String title) {
        this.title = title;
    }

    /** 100 bytes, give or take a digit. */
    record Answer(int number, int input, String text) {
    }

    static Answer answer(int input, int number) {
        return new Answer(number, input, TEXT);
    }

    String title() {
        return title;
    }

    /** How many durable steps one workflow has at least; a signal or a sleep counts as one. */
    int steps(int fanOut) {
        return switch (this) {
            case W1 -> STEPS;
            case W4 -> fanOut;
            case W2, W3, W5 -> 1;
        };
    }

    /** What a workflow must come to: a harness that measures something else must fail. */
    Answer expected(int input, int fanOut) {
        return switch (this) {
            case W1 -> answer(input, STEPS);
            case W4 -> answer(input, fanOut * (fanOut + 1) / 2);
            case W2, W3, W5 -> answer(input, 1);
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
