package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How far one run of the code has come in what is recorded of it. */
final class Progress {

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    // Under the lock.
    private final Journal journal;
    private final Map<String, Boolean> patches = new LinkedHashMap<>();

    Progress(Incarnation incarnation, Guard guard, Strands strands, Journal journal) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
        this.journal = journal;
    }

    /** The record of an operation the code has come to; null if it is new. Code that does not fit its record ends here. */
    @Nullable ActivityRecord reach(Strand strand, String id, Payload header) {
        return reach(strand, id, header, null);
    }

    /**
     * The same for a wait for a signal on a topic; null for any other operation. In one lock: a race is decided as soon as its losers
     * stand where they stood, and gives back only the signals whose waits it knows.
     */
    @Nullable ActivityRecord reach(Strand strand, String id, Payload header, @Nullable String topic) {
        Journal.@Nullable Mismatch[] mismatch = new Journal.Mismatch[1];
        ActivityRecord known = reading(id, () -> {
            strands.alive(strand);
            strand.goesOn();
            if (topic != null) {
                strand.waitsFor(id, topic);
            }
            ActivityRecord record = journal.reach(id);
            mismatch[0] = journal.mismatch(id, header, incarnation.runtime().codec());
            return record;
        });
        if (mismatch[0] != null) {
            throw incarnation.parking().park(mismatch[0]);
        }
        return known;
    }

    /** Arguments that cannot be read any more, to be compared with those the code has now, park the workflow like any other payload. */
    private @Nullable ActivityRecord reading(String id, Guard.Body<@Nullable ActivityRecord> body) {
        try {
            return this.<@Nullable ActivityRecord>catchingUp(body);
        } catch (PayloadError e) {
            throw incarnation.parking().park(id, e);
        }
    }

    /** A branch that will not run, or has lost: what was recorded of it stays as it is. */
    void skip(String scope) {
        catchingUp(() -> {
            journal.skip(scope);
            return true;
        });
    }

    /** What may bring the code to where it has never been: there it can be told what came in the meantime. */
    private <T extends @Nullable Object> T catchingUp(Guard.Body<T> body) {
        List<CompletableFuture<Void>> waking = new ArrayList<>();
        boolean[] front = new boolean[1];
        T result = guard.locked(() -> {
            boolean before = journal.caughtUp();
            int behind = journal.scopesBehind();
            T value = body.run();
            // A race is decided when its rivals stand where they stood.
            if (journal.scopesBehind() < behind) {
                waking.addAll(strands.wakeParents());
            }
            front[0] = !before && journal.caughtUp();
            return value;
        });
        waking.forEach(each -> each.complete(null));
        if (front[0]) {
            incarnation.updates().pump();
        }
        return result;
    }

    /** The code of a branch is at its end: so must be what was recorded of it. */
    void ended(String scope) {
        Journal.Mismatch mismatch = guard.locked(() -> journal.leftOver(scope));
        if (mismatch != null) {
            throw incarnation.parking().park(mismatch);
        }
    }

    boolean caughtUp() {
        return guard.locked(journal::caughtUp);
    }

    /** Whether everything recorded below a scope has been asked for. */
    boolean caughtUp(String scope) {
        return guard.locked(() -> journal.caughtUp(scope));
    }

    /** Whether an operation has begun, or is about to be recorded as begun. */
    boolean begun(String id) {
        return guard.locked(() -> journal.isBegun(id));
    }

    boolean atFront(String scope) {
        return guard.locked(() -> journal.atFront(scope));
    }

    /** Whether the code of a branch has never been further than this. */
    boolean nothingAfter(String scope) {
        return guard.locked(() -> journal.nothingAfter(scope));
    }

    @Nullable ActivityRecord recorded(String id) {
        return guard.locked(() -> journal.get(id));
    }

    /** Operations whose ids begin so. */
    List<ActivityRecord> operations(String prefix) {
        return guard.locked(() -> journal.withPrefix(prefix));
    }

    /**
     * Those of these operations that have begun; null if one of them has been answered. An answer that came before the end counts: later
     * runs of the code see it first.
     */
    @Nullable List<String> unanswered(Set<String> ids) {
        return guard.<@Nullable List<String>>locked(() -> {
            for (String id : ids) {
                ActivityRecord record = journal.get(id);
                if (record != null && record.ledger().finalized()) {
                    return null;
                }
            }
            return journal.openBelow("").stream().filter(ids::contains).toList();
        });
    }

    /** Operations below a scope that are begun and not answered. */
    List<String> openBelow(String scope) {
        return guard.locked(() -> journal.openBelow(scope));
    }

    /** Decided once, and never otherwise while this run of the code lasts. */
    boolean patched(Strand strand, String changeId, String scope) {
        String id = Journal.OWN + "patch:" + changeId;
        boolean[] fresh = new boolean[1];
        // In one lock: of branches that ask at the same time only one records it.
        boolean applies = guard.locked(() -> {
            Boolean before = patches.get(changeId);
            if (before != null) {
                return before;
            }
            boolean recorded = journal.get(id) != null;
            boolean decided = recorded || journal.atFront(scope);
            patches.put(changeId, decided);
            fresh[0] = decided && !recorded;
            return decided;
        });
        if (fresh[0] && !incarnation.readOnly()) {
            incarnation.outbox().hold(strand, new Advance.Do(FlowBehaviour.operation(id),
                    Payload.EMPTY, Payload.EMPTY, new Request.Pass(false), null));
        }
        return applies;
    }
}
