package dev.pawl.lab.bench;

import java.util.Comparator;
import java.util.List;

/**
 * What came of a cell. Processor time and bytes are for each transition.
 *
 * @param cpuMicros of this process's threads: it hardly depends on what else the machine does, but a server's is not in it
 */
record Measured(double rate, double p50Millis, double p99Millis, double cpuMicros, double bytesOnDisk,
        double bytesWritten) {

    /** The one in the middle, by its rate. */
    static Measured median(List<Measured> rounds) {
        return rounds.stream().sorted(Comparator.comparingDouble(Measured::rate)).toList().get((rounds.size() - 1) / 2);
    }
}
