package dev.pawl.engine.shard;

import dev.pawl.engine.store.Store;
import dev.pawl.engine.task.Submission;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Advanced;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Transition;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages computed one after the other, each on what the ones before it will have committed, and not one of them durable
 * yet. If the commit fails the whole batch is thrown away.
 */
final class Batch {

    private final WorkflowCache cache;
    private final String group;
    private final Definitions definitions;
    private final Store store;
    private final Instant now;
    private final Map<WorkflowKey, Overlay> overlays = new LinkedHashMap<>();
    private final List<Item> items = new ArrayList<>();
    private final Set<Delivery> born = new HashSet<>();

    /** A bundle, and the message or the submission it is the answer to, if it is one. */
    record Item(@Nullable Delivery delivery, @Nullable Submission submission, Bundle bundle, @Nullable Delivery again) {

        Item(@Nullable Delivery delivery, Bundle bundle, @Nullable Delivery again) {
            this(delivery, null, bundle, again);
        }

        /** What lies nowhere is committed whole: nobody would bring the rest of it again. */
        boolean whole() {
            return submission != null || (delivery != null && Joining.joins(delivery));
        }

        static Item of(Bundle bundle) {
            return new Item(null, bundle, null);
        }
    }

    Batch(WorkflowCache cache, String group, Definitions definitions, Store store, Instant now) {
        this.cache = cache;
        this.group = group;
        this.definitions = definitions;
        this.store = store;
        this.now = now;
    }

    /** Computes one more message; what it throws leaves the batch as it was. Returns the messages it queued. */
    List<Delivery> add(Delivery delivery) {
        Overlay overlay = overlay(delivery.message().workflow());
        WorkflowRecord workflow = overlay.workflow();
        if (workflow != null && !workflow.beginning().group().equals(group)) {
            add(new Item(delivery, Collation.misdirected(delivery), null));
            return List.of();
        }
        Behaviour behaviour = behaviour(overlay, delivery.message());
        return add(delivery, Collation.transition(overlay, delivery, behaviour,
                new HookedWorkflows(store, delivery.message().workflow().namespace()), now));
    }

    private List<Delivery> add(Delivery delivery, Transition transition) {
        add(new Item(delivery, transition.bundle(), transition.again()));
        List<Delivery> queued = queued(transition.bundle(), transition.again());
        born.addAll(queued);
        return queued;
    }

    /** Accepts a signal and computes it; null if only the store can tell what becomes of it, and the batch stays as it was. */
    @Nullable List<Delivery> add(Delivery delivery, Write.Accept acceptance) {
        WorkflowKey key = delivery.message().workflow();
        Overlay overlay = overlay(key);
        WorkflowRecord workflow = overlay.workflow();
        if (workflow == null || !workflow.beginning().group().equals(group)) {
            return null;
        }
        Transition transition = Collation.accept(overlay, acceptance, (Message.Signal) delivery.message(),
                behaviour(overlay, delivery.message()), now);
        return transition == null ? null : add(delivery, transition);
    }

    /** Computes what the code of a flow has handed in; false if it does not fit, and the batch stays as it was. */
    boolean add(Submission submission) {
        Advance advance = submission.advance();
        Overlay overlay = overlay(advance.workflow());
        WorkflowRecord workflow = overlay.workflow();
        Behaviour behaviour = workflow == null ? Refusing.BEHAVIOUR : behaviour(workflow.beginning());
        return switch (Collation.advance(overlay, advance, behaviour, now)) {
            case Advanced.Through through -> {
                add(new Item(null, submission, through.bundle(), through.again()));
                born.addAll(queued(through.bundle(), through.again()));
                yield true;
            }
            case Advanced.Outdated outdated -> {
                submission.outdated(outdated.why());
                yield false;
            }
        };
    }

    /** The messages in queues that are dealt with by these bundles, or that will be delivered again on their account. */
    static Set<Delivery> deliveries(List<Item> items) {
        Set<Delivery> deliveries = new HashSet<>();
        for (Item item : items) {
            if (item.delivery() != null && item.delivery().place() instanceof Delivery.Place.Queue) {
                deliveries.add(item.delivery());
            }
            if (item.again() != null) {
                deliveries.add(item.again());
            }
        }
        return deliveries;
    }

    /** The messages a bundle puts in its workflow's queue. */
    static List<Delivery> queued(Bundle bundle) {
        List<Delivery> queued = new ArrayList<>();
        for (Bundle.Part part : bundle.parts()) {
            for (Write write : part.writes()) {
                if (write instanceof Write.Enqueue enqueue) {
                    queued.add(Delivery.queued(enqueue.number(), enqueue.message()));
                }
            }
        }
        return queued;
    }

    private static List<Delivery> queued(Bundle bundle, @Nullable Delivery again) {
        List<Delivery> queued = queued(bundle);
        queued.remove(again);
        return queued;
    }

    /** True for a message that exists only if this batch is committed. */
    boolean bore(Delivery delivery) {
        return born.contains(delivery);
    }

    void add(Item item) {
        overlay(item.bundle().workflow()).apply(item.bundle());
        items.add(item);
    }

    /** Whether it computes with this workflow already. */
    boolean knows(WorkflowKey key) {
        return overlays.containsKey(key);
    }

    /** Somebody has seen that there is no such workflow. */
    void absent(WorkflowKey key) {
        overlays.put(key, new Overlay(Snapshot.ABSENT));
    }

    /** These are about to be computed with: what is not at hand is read now, all together. */
    void prepare(Collection<WorkflowKey> keys) {
        cache.read(keys.stream().filter(key -> !overlays.containsKey(key)).toList())
                .forEach((key, view) -> overlays.put(key, new Overlay(view)));
    }

    Overlay overlay(WorkflowKey key) {
        return overlays.computeIfAbsent(key, missing -> new Overlay(cache.view(missing)));
    }

    private Behaviour behaviour(Overlay overlay, Message message) {
        WorkflowRecord workflow = overlay.workflow();
        if (workflow == null && !(message instanceof Message.Start)) {
            return Refusing.BEHAVIOUR;
        }
        Message.Beginning beginning = workflow != null ? workflow.beginning() : ((Message.Start) message).beginning();
        if (message instanceof Message.Interrupt && !definitions.has(beginning.definition(),
                beginning.definitionVersion())) {
            return Refusing.BEHAVIOUR;
        }
        return behaviour(beginning);
    }

    private Behaviour behaviour(Message.Beginning beginning) {
        return definitions.behaviour(beginning.definition(), beginning.definitionVersion());
    }

    List<Item> items() {
        return items;
    }

    int size() {
        return items.size();
    }

    boolean isEmpty() {
        return items.isEmpty();
    }
}
