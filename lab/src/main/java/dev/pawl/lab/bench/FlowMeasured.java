package dev.pawl.lab.bench;

import java.util.Comparator;
import java.util.List;

/**
 * What came of one measurement of whole workflows.
 *
 * @param rate workflows a second
 * @param p50Millis of one workflow, from its start (or from the signal) until its client has the result
 * @param cpuMicros processor time of this process for each step: it hardly depends on what else the machine does, but a server's is not in
 *        it
 * @param perStep what the database was made to write, divided by the steps of all workflows, warming up and the coming and going of the engine included
 */
record FlowMeasured(double rate, double p50Millis, double p99Millis, double cpuMicros, Written perStep) {

    static FlowMeasured of(List<Long> nanos, double seconds, double cpuMicros, Written perStep) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return new FlowMeasured(sorted.length / seconds, at(sorted, 0.50), at(sorted, 0.99), cpuMicros,
                perStep);
    }

    FlowMeasured withRate(double other) {
        return new FlowMeasured(other, p50Millis, p99Millis, cpuMicros, perStep);
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN
                : sorted[(int) Math.min(sorted.length - 1, Math.round(sorted.length * share))] / 1e6;
    }

    /** The one in the middle, by its rate. */
    static FlowMeasured median(List<FlowMeasured> rounds) {
        return rounds.stream().sorted(Comparator.comparingDouble(FlowMeasured::rate)).toList()
                .get((rounds.size() - 1) / 2);
    }
}
