package dev.pawl.testkit.scenario;

import dev.pawl.kernel.message.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The hooks of one workflow that wait, and the signals that nobody waits for yet. */
final class Hooks {

    private final Run run;
    private final NavigableMap<Token, String> waiting =
            new TreeMap<>((one, other) -> one.key.compareTo(other.key));
    private final List<Kept> kept = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private record Kept(String topic, Response response) {
    }

    Hooks(Run run) {
        this.run = run;
    }

    boolean waitOn(String topic) {
        return waiting.containsValue(topic);
    }

    /** A hook takes the oldest signal that was kept for it, or waits. */
    void open(Token hook, String topic) {
        waiting.put(hook, topic);
        kept.stream().filter(signal -> signal.topic().equals(topic)).findFirst().ifPresent(signal -> {
            kept.remove(signal);
            take(hook, signal.response());
        });
    }

    /** A signal goes to the first hook that waits for it, or is kept. Sent again it is nothing. */
    void signal(String signalId, String topic, Response response) {
        if (seen.add(topic + " " + signalId)) {
            waiting.entrySet().stream().filter(hook -> hook.getValue().equals(topic)).map(Map.Entry::getKey).findFirst()
                    .ifPresentOrElse(hook -> take(hook, response), () -> kept.add(new Kept(topic, response)));
        }
    }

    private void take(Token hook, Response response) {
        waiting.remove(hook);
        run.finish(hook, response);
    }
}
