package dev.pawl.lab.torture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What is wrong with a disk, as strace makes a process believe it: some calls on the files of a database fail, from the n-th on
 * and not for ever, and nothing but the database sees it. Counted for each thread by itself; one thread does all the writing.
 *
 * @param ends of the names of the files it is about: the database itself, its log, or both
 */
record DiskFault(String calls, String error, int first, int last, List<String> ends) {

    private static final List<String> BOTH = List.of("", "-wal");
    private static final List<String> LOG = List.of("-wal");
    private static final List<String> DATABASE = List.of("");
    private static final String SYNC = "fsync,fdatasync";
    private static final String WRITE = "pwrite64,write,ftruncate";

    static DiskFault random(RandomGenerator random) {
        return switch (random.nextInt(7)) {
            case 0, 1 -> of(SYNC, "EIO", 1 + random.nextInt(150), 1, LOG);
            case 2 -> of(SYNC, "EIO", 1 + random.nextInt(80), 1 + random.nextInt(5), BOTH);
            case 3 -> of(WRITE, "ENOSPC", 1 + random.nextInt(3_000), 1 + random.nextInt(60), BOTH);
            case 4 -> of(WRITE, "EIO", 1 + random.nextInt(3_000), 1 + random.nextInt(3), LOG);
            // The file itself is written and synced only when its log is moved into it.
            case 5 -> of(SYNC, "EIO", 1, 1 + random.nextInt(2), DATABASE);
            default -> of(WRITE, random.nextBoolean() ? "ENOSPC" : "EIO", 1 + random.nextInt(500),
                    1 + random.nextInt(20), DATABASE);
        };
    }

    private static DiskFault of(String calls, String error, int first, int times, List<String> ends) {
        return new DiskFault(calls, error, first, first + times - 1, ends);
    }

    /** The command before the command: the tracer becomes a grandchild, so that a kill hits the engine itself. */
    List<String> before(Path database, Path trace) {
        List<String> command = new ArrayList<>(List.of("strace", "-D", "-f", "-y", "--seccomp-bpf", "-qq", "-s", "0",
                "-o", trace.toString(), "-e", "trace=openat,close," + SYNC + "," + WRITE,
                "-e", "inject=" + calls + ":error=" + error + ":when=" + first + ".." + last));
        ends.forEach(end -> command.addAll(List.of("-P", database + end)));
        return command;
    }

    @Override
    public String toString() {
        return calls + " " + error + " " + first + ".." + last + " on " + ends.stream().map("db"::concat).toList();
    }
}
