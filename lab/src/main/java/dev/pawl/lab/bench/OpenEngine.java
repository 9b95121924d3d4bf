package dev.pawl.lab.bench;

import dev.pawl.lab.bench.FlowWorkload.Answer;

/** An engine that is open on a ground, as the harness drives it: each in the same way. */
interface OpenEngine extends AutoCloseable {

    /** Starts the workflow of a workload with this number. It is durable when this returns. */
    Begun start(FlowWorkload workload, int number);

    /** A workflow that was started. */
    interface Begun {

        /** Waits for its end. */
        Answer result();

        /** Sends what {@link FlowWorkload#W3} is parked on. */
        void signal(Answer payload);

        /** How many of its steps, waits included, the database knows of. */
        int durableSteps();
    }

    @Override
    void close();
}
