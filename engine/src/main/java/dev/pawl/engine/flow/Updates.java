package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Updates of a flow. Each is answered by the flow's main thread while it waits, and recorded together with the wait it fell into: a later
 * run of the code answers it at the same place, so that what the handler changed is changed again.
 */
final class Updates {

    static final String TOPIC = FlowBehaviour.CONTROL + "update:";
    private static final String OPERATION = Journal.OWN + "update:";

    private final Incarnation incarnation;
    private final Set<String> done = new HashSet<>();
    private @Nullable Map<String, List<ActivityRecord>> recorded;

    /** What is kept of an update. */
    record Kept(Object arguments, String at, String kind, String name, int number) {
    }

    Updates(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    /** The operation that holds the answer to an update. */
    static String operation(String guid) {
        return OPERATION + guid;
    }

    /**
     * Answers again what was answered while the code waited for this operation before; to be called whenever the code comes to one
     * that is recorded, whether it has to wait or not.
     */
    void replay(Strand strand, String operation) {
        if (strand.parent != null) {
            return;
        }
        for (ActivityRecord each : recorded().getOrDefault(operation, List.of())) {
            Kept kept = kept(each);
            Handlers.Answering answering = incarnation.handlers().update(kept.name());
            if (done.add(each.key().activity()) && answering != null) {
                answer(answering, incarnation.runtime().codec().encode(kept.arguments()));
            }
        }
    }

    /** What other runs of the code have answered, by the operation they waited for, in the order they did. */
    private Map<String, List<ActivityRecord>> recorded() {
        if (recorded == null) {
            recorded = incarnation.progress().operations(OPERATION).stream()
                    .sorted(Comparator.comparingInt(each -> kept(each).number()))
                    .collect(Collectors.groupingBy(each -> Journal.paused(kept(each).at())));
        }
        return recorded;
    }

    /** A wait that leaves no record of its own may still lie ahead, with what was answered there. */
    private boolean replayed() {
        return recorded().values().stream().flatMap(List::stream)
                .allMatch(each -> done.contains(each.key().activity()));
    }

    private Kept kept(ActivityRecord update) {
        return java.util.Objects.requireNonNull(incarnation.runtime().codec().<Kept>decode(update.input(), Kept.class));
    }

    /**
     * Answers what has come; returns whether there was anything. Not before the code is where it has never been: what it did after
     * this wait, it did without the answer.
     */
    boolean answer(Strand strand, String at) {
        if (!incarnation.progress().caughtUp() || !replayed()) {
            return false;
        }
        for (Message.Signal signal : incarnation.control().all()) {
            String name = signal.topic().startsWith(TOPIC) ? signal.topic().substring(TOPIC.length()) : null;
            Handlers.Answering answering = name == null ? null : incarnation.handlers().update(name);
            if (name != null && answering != null) {
                incarnation.control().taken(signal);
                Payload input = signal.response().payload();
                String operation = operation(signal.guid().toString());
                Payload output = answer(answering, input);
                done.add(operation);
                incarnation.outbox().hold(strand, new Advance.Do(Advance.operation(FlowBehaviour.FLOW, operation),
                        Header.update(at, name, done.size(), input), output, new Request.Pass(false), signal.guid()));
                return true;
            }
        }
        return false;
    }

    private static Payload answer(Handlers.Answering answering, Payload input) {
        try {
            return answering.answer(input);
        } catch (Exception e) {
            return Results.failed(Results.Failure.of(e).payload());
        }
    }
}
