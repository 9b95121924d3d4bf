package dev.pawl.testkit.scenario;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects what workflows send to one another. The same message again counts once: its GUID makes it one. */
public final class EffectLog {

    private final Set<Sent> seen = new HashSet<>();
    private final List<Effect> effects = new ArrayList<>();

    private record Sent(WorkflowKey from, Message message) {
    }

    /** To be told of every message that is posted by a commit. */
    public void posted(WorkflowKey from, Message message) {
        if (seen.add(new Sent(from, message))) {
            effects.add(Effect.of(from, message));
        }
    }

    public List<Effect> effects() {
        return List.copyOf(effects);
    }
}
