package dev.pawl.lab.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What the files of an {@link OutsideLog} say, all processes together. */
final class OutsideWorld {

    final Set<Integer> begun = new TreeSet<>();
    final Set<Integer> served = new TreeSet<>();
    final Set<String> started = new LinkedHashSet<>();
    final Set<String> interrupted = new LinkedHashSet<>();
    /** When each was accepted, as the first answer said. */
    final Map<Signal, Long> signals = new ConcurrentHashMap<>();
    final List<Sight> sights = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    final List<Owned> owned = new ArrayList<>();
    final List<Committed> commits = new ArrayList<>();
    final List<String> wrong = new ArrayList<>();
    final List<String> notes = new ArrayList<>();

    record Signal(String workflowId, String topic, String signalId) {
    }

    /** A workflow as somebody has read it. */
    record Sight(String workflowId, long version, String chain, String status) {
    }

    record Call(String workflowId, String activity, int attempt) {
    }

    record Owned(int shard, long epoch, String owner) {
    }

    /** One version of one workflow, acknowledged to the owner of its shard. */
    record Committed(int shard, long epoch, String owner, String workflowId, long version) {
    }

    static Path file(Path folder, String process) {
        return folder.resolve("outside-" + process + ".log");
    }

    static boolean isFile(Path path) {
        return path.getFileName().toString().matches("outside-.*[.]log");
    }

    /** All processes that have written into a folder, together. */
    static OutsideWorld read(Path folder) {
        OutsideWorld world = new OutsideWorld();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(OutsideWorld::isFile).sorted()
                    .forEach(world::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return world;
    }

    /** What one process has written, and those before it under the same name; nothing if there is no such file. */
    static OutsideWorld of(Path file) {
        OutsideWorld world = new OutsideWorld();
        if (Files.exists(file)) {
            world.add(file);
        }
        return world;
    }

    private void add(Path file) {
        try {
            String text = Files.readString(file);
            // A line without its end is being written.
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(this::line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void line(String line) {
        String[] words = line.split(" ", -1);
        String rest = line.substring(words[0].length() + 1);
        switch (words[0]) {
            case "begin" -> begun.add(Integer.valueOf(words[1]));
            case "served" -> served.add(Integer.valueOf(words[1]));
            case "start" -> started.add(words[1]);
            case "interrupt" -> interrupted.add(words[1]);
            case "signal" -> signals.putIfAbsent(new Signal(words[1], words[2], words[3]), Long.valueOf(words[4]));
            case "seen" -> sights.add(new Sight(words[1], Long.parseLong(words[2]), words[3], words[4]));
            case "call" -> calls.add(new Call(words[1], words[2], Integer.parseInt(words[3])));
            case "own" -> owned.add(new Owned(Integer.parseInt(words[1]), Long.parseLong(words[2]), words[3]));
            case "commit" -> commits(Integer.parseInt(words[1]), Long.parseLong(words[2]), words[3], words[4]);
            case "wrong" -> wrong.add(rest);
            case "note" -> notes.add(rest);
            default -> throw new IllegalStateException("not a line of an outside log: " + line);
        }
    }

    private void commits(int shard, long epoch, String owner, String versions) {
        for (String one : versions.split(",", -1)) {
            int colon = one.lastIndexOf(':');
            commits.add(new Committed(shard, epoch, owner, one.substring(0, colon),
                    Long.parseLong(one.substring(colon + 1))));
        }
    }
}
