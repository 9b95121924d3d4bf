package dev.pawl.testkit.simulate;

import java.util.List;

/**
 * How a run ended.
 *
 * @param violations empty if everything held
 * @param trace what happened, line by line: the same for the same seed
 * @param faults what was done to it
 * @param numbers how many faults were thought of
 * @param joined how many signals were accepted in a commit of their workflow's owner
 */
public record SimResult(List<String> violations, String trace, List<String> faults, int numbers, long commits,
        String dump, String meaning, int joined) {

    public boolean failed() {
        return !violations.isEmpty();
    }
}
