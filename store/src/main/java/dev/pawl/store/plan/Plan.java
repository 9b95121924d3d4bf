package dev.pawl.store.plan;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A batch of bundles, coalesced: what is to be written, each row at most once, and what must be stored for it to hold. Nothing
 * here knows what is stored; whether the bundles fit one another is found out while they are added.
 */
public final class Plan {

    private final Map<WorkflowKey, WorkflowPlan> workflows = new LinkedHashMap<>();
    private final List<Write.Post> posts = new ArrayList<>();
    private final Set<Long> takenFromInbox = new TreeSet<>();
    private final Set<Long> mustLieInInbox = new TreeSet<>();
    private final Map<Long, Integer> chargedInInbox = new LinkedHashMap<>();
    private final Map<Long, String> givenUpInInbox = new LinkedHashMap<>();
    private boolean consistent = true;

    public Plan(List<Bundle> bundles) {
        bundles.forEach(this::add);
    }

    /** False if some bundle contradicts one before it: then nothing may be written, and {@link Judge} says why. */
    public boolean consistent() {
        return consistent;
    }

    /** What is to be done to each workflow, in the order the batch first names them. */
    public Collection<WorkflowPlan> workflows() {
        return workflows.values();
    }

    /** Messages for other shards' inboxes, in their order. */
    public List<Write.Post> posts() {
        return posts;
    }

    public Set<Long> takenFromInbox() {
        return takenFromInbox;
    }

    /** Those of a bundle that touches inboxes alone: nothing else protects it from taking a message twice. */
    public Set<Long> mustLieInInbox() {
        return mustLieInInbox;
    }

    public Map<Long, Integer> chargedInInbox() {
        return chargedInInbox;
    }

    public Map<Long, String> givenUpInInbox() {
        return givenUpInInbox;
    }

    private void add(Bundle bundle) {
        boolean inboxOnly = bundle.inboxOnly();
        for (Bundle.Part part : bundle.parts()) {
            part.writes().forEach(write -> inbox(write, inboxOnly));
        }
        if (inboxOnly) {
            return;
        }
        WorkflowPlan known = workflows.get(bundle.workflow());
        if (known == null && bundle.expectedVersion() == 0 && !bundle.creates()) {
            // For a workflow that does not exist: its messages may be taken away, and there is nothing to write to.
            consistent &= bundle.seal() == null && bundle.writes().stream().allMatch(Plan::writesNothing);
            nowhere.add(bundle.workflow());
            return;
        }
        WorkflowPlan plan = known;
        if (plan == null) {
            plan = new WorkflowPlan(bundle);
            workflows.put(bundle.workflow(), plan);
        }
        consistent &= plan.add(bundle);
    }

    private final Set<WorkflowKey> nowhere = new TreeSet<>();

    /** Workflows that must not exist for the batch to hold. */
    public Set<WorkflowKey> mustNotExist() {
        return nowhere;
    }

    private static boolean writesNothing(Write write) {
        return write instanceof Write.Post || (write instanceof Write.Acknowledge acknowledge
                && !(acknowledge.place() instanceof Place.Queue));
    }

    private void inbox(Write write, boolean inboxOnly) {
        switch (write) {
            case Write.Post post -> posts.add(post);
            case Write.Acknowledge(Place.Inbox inbox) -> {
                require(inbox, inboxOnly);
                takenFromInbox.add(inbox.id());
            }
            case Write.Charge(Place.Inbox inbox, int marks) -> {
                require(inbox, inboxOnly);
                chargedInInbox.put(inbox.id(), marks);
            }
            case Write.GiveUp(Place.Inbox inbox, String reason) -> {
                require(inbox, inboxOnly);
                givenUpInInbox.put(inbox.id(), reason);
            }
            default -> {}
        }
    }

    private void require(Place.Inbox inbox, boolean inboxOnly) {
        if (inboxOnly) {
            // Taken twice by two bundles of one batch, the second finds it gone.
            consistent &= !takenFromInbox.contains(inbox.id()) && !givenUpInInbox.containsKey(inbox.id());
            mustLieInInbox.add(inbox.id());
        }
    }
}
