package dev.pawl.kernel.bundle;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.JournalEntry;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.LedgerViolation;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of a workflow, computed from its events and their payloads, one after the other. It applies writes with the same
 * {@link Overlay} as the engine, so there is one implementation of what a commit does. An event that does not follow from the one
 * before it, or that is not as it was written, is a {@link LedgerViolation}.
 *
 * <p>Not thread-safe.
 */
public final class Fold {

    private final WorkflowKey workflow;
    private final List<Payload> known;
    private final Overlay state = new Overlay(Snapshot.ABSENT);
    private final Map<Effect.Key, EffectRecord> effects = new TreeMap<>();
    private final Map<Attribute.Key, Attribute> attributes = new TreeMap<>();

    /**
     * A fold without events.
     *
     * @param known payloads that are kept elsewhere than beside their event: input and output of the workflow
     */
    public Fold(WorkflowKey workflow, Payload... known) {
        this.workflow = workflow;
        this.known = List.of(known);
    }

    /** Applies the next entry. */
    public void add(JournalEntry entry) {
        Event event = entry.event();
        WorkflowRecord before = state.workflow();
        long version = before == null ? 0 : before.version();
        if (event.number() != version + 1 || !event.follows(before == null ? Hash.NONE : before.chain())) {
            throw new LedgerViolation(
                    "event " + event.number() + " of " + workflow + " does not follow event " + version);
        }
        read(entry, reader -> {
            reader.writes().forEach(this::apply);
            Long next = reader.nextNumber();
            if (next != null) {
                state.numbered(next);
            }
        });
        state.committed(event.hash());
    }

    /**
     * One activity as the events leave it that tell of it, all other activities left aside; null if none of them does.
     *
     * @param entries those that may tell of it, in their order
     */
    public @Nullable ActivityRecord activity(ActivityKey key, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            read(entry, reader -> reader.activities(key).forEach(this::apply));
        }
        return state.activity(key);
    }

    private void read(JournalEntry entry, Consumer<EventReader> reading) {
        try {
            reading.accept(new EventReader(workflow, state, entry, known));
        } catch (LedgerViolation e) {
            throw e;
        } catch (RuntimeException e) {
            throw new LedgerViolation("event " + entry.event().number() + " of " + workflow
                    + " is not as it was written: " + e.getMessage());
        }
    }

    private void apply(Write write) {
        switch (write) {
            case Write.PutEffect put ->
                effects.merge(put.effect().effect().key(), put.effect(), (before, after) -> after.over(before));
            case Write.PutAttribute put -> attributes.put(put.attribute().key(), put.attribute());
            default -> state.apply(write);
        }
    }

    /** What all events together have come to. */
    public Snapshot snapshot() {
        return state.snapshot();
    }

    /** Whether the workflow has joins: most have none. */
    public boolean hasJoins() {
        return !state.joins().isEmpty();
    }

    /** What the events say of effects on the outside world, by operation. */
    public List<EffectRecord> effects() {
        return List.copyOf(effects.values());
    }

    /** What the workflow is found by and shown with, attributes before memos, by name. */
    public List<Attribute> attributes() {
        return attributes.values().stream().filter(each -> !(each instanceof Attribute.Removed)).toList();
    }
}
