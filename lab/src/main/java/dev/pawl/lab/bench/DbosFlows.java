package dev.pawl.lab.bench;

import dev.pawl.lab.bench.FlowWorkload.Answer;

/** The workloads as DBOS wants them: methods of an interface, which are durable when they are called through its proxy. */
interface DbosFlows {

    Answer inSequence(int input, int count);

    Answer parked();

    /** A step of a fan-out: DBOS has no steps side by side in one workflow, but children. */
    Answer child(int input, int number);

    Answer sideBySide(int input, int count);

    Answer asleep(int input);
}
