package dev.pawl.lab.torture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a process did to its files, as strace saw it, and the one rule about it: after a failed sync of something written, the
 * system may have dropped what was not synced and will not say so again. A second sync of the same descriptor would succeed and
 * prove nothing. So the descriptor is closed, or what it stands for is written once more before it is synced. A log may be synced
 * again if it is never written again by that descriptor: the last connection that is closed moves to the database what was
 * synced before the failure, and syncs the log first.
 */
final class DiskTrace {

    private static final Pattern CALL =
            Pattern.compile("(\\d+) +(\\w+)\\((?:AT_FDCWD[^,]*, \"[^\"]*\"[^)]*|(\\d+)<([^>]*)>.*)");
    private static final Pattern RESUMED = Pattern.compile("(\\d+) +<\\.\\.\\. (\\w+) resumed>(.*)");

    private final Map<String, String> unfinished = new HashMap<>();
    private final Set<String> dirty = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    /** Logs that were written after a sync that failed. */
    private final Set<String> writtenAfterFailure = new HashSet<>();
    /** Syncs of a log after one that failed, until it is known whether the log was only closed. */
    private final Map<String, String> syncedAgain = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private int injected;

    private DiskTrace() {
    }

    static DiskTrace of(Stream<String> lines) {
        DiskTrace trace = new DiskTrace();
        lines.forEach(trace::line);
        trace.violations.addAll(trace.syncedAgain.values());
        return trace;
    }

    List<String> violations() {
        return violations;
    }

    /** How many calls were made to fail. */
    int injected() {
        return injected;
    }

    /** A call that another thread interrupts is printed in two parts. */
    private void line(String line) {
        Matcher resumed = RESUMED.matcher(line);
        if (resumed.matches()) {
            String begun = unfinished.remove(resumed.group(1));
            if (begun != null) {
                call(begun + resumed.group(3));
            }
        } else if (line.endsWith("<unfinished ...>")) {
            unfinished.put(line.substring(0, line.indexOf(' ')), line.replace("<unfinished ...>", ""));
        } else {
            call(line);
        }
    }

    private void call(String line) {
        Matcher call = CALL.matcher(line);
        if (!call.matches() || call.group(3) == null) {
            return;
        }
        boolean fails = line.contains("= -1 ");
        injected += line.contains("(INJECTED)") ? 1 : 0;
        String file = call.group(3) + " " + call.group(4);
        switch (call.group(2)) {
            case "close" -> {
                dirty.remove(file);
                failed.remove(file);
                syncedAgain.remove(file);
                writtenAfterFailure.remove(file);
            }
            case "pwrite64", "write", "ftruncate" -> {
                dirty.add(file);
                // The log is never written twice at one place by one descriptor, so only the database is mended this way.
                if (!log(file)) {
                    failed.remove(file);
                } else if (failed.contains(file)) {
                    writtenAfterFailure.add(file);
                    String synced = syncedAgain.remove(file);
                    if (synced != null) {
                        violations.add(synced);
                    }
                }
            }
            case "fsync", "fdatasync" -> sync(file, fails, line);
            default -> {}
        }
    }

    private void sync(String file, boolean fails, String line) {
        if (failed.contains(file)) {
            String violation = "P1 synced again after a sync that failed: " + line;
            if (log(file) && !writtenAfterFailure.contains(file)) {
                syncedAgain.put(file, violation);
            } else {
                violations.add(violation);
            }
        }
        if (fails && dirty.contains(file)) {
            failed.add(file);
        } else if (!fails) {
            dirty.remove(file);
        }
    }

    private static boolean log(String file) {
        return file.endsWith("-wal");
    }
}
