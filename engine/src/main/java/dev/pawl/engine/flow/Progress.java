package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How far one run of the code has come in what is recorded of it. */
final class Progress {

    private final Incarnation incarnation;
    private final Guard guard;
    private final Strands strands;
    private final ControlSignals control;
    // Under the lock.
    private final Journal journal;
    private final Map<String, Boolean> patches = new LinkedHashMap<>();

    Progress(Incarnation incarnation, Guard guard, Strands strands, ControlSignals control, Journal journal) {
        this.incarnation = incarnation;
        this.guard = guard;
        this.strands = strands;
        this.control = control;
        this.journal = journal;
    }

    /** The record of an operation the code has come to; null if it is new. Code that does not fit its record ends here. */
    @Nullable ActivityRecord reach(Strand strand, String id, Payload header) {
        Journal.@Nullable Mismatch[] mismatch = new Journal.Mismatch[1];
        ActivityRecord known = catchingUp(() -> {
            strands.alive(strand);
            ActivityRecord record = journal.reach(id);
            mismatch[0] = journal.mismatch(id, header);
            return record;
        });
        if (mismatch[0] != null) {
            throw incarnation.parking().park(mismatch[0]);
        }
        return known;
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
        T result = guard.locked(() -> {
            boolean before = journal.caughtUp();
            T value = body.run();
            Strand main = strands.main();
            if (!before && journal.caughtUp() && !control.isEmpty() && !main.running()) {
                waking.add(main.wake());
            }
            return value;
        });
        waking.forEach(each -> each.complete(null));
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

    boolean atFront(String scope) {
        return guard.locked(() -> journal.atFront(scope));
    }

    @Nullable ActivityRecord recorded(String id) {
        return guard.locked(() -> journal.get(id));
    }

    /** Operations whose ids begin so. */
    List<ActivityRecord> operations(String prefix) {
        return guard.locked(() -> journal.withPrefix(prefix));
    }

    /** Operations below a scope that are begun and not answered. */
    List<String> openBelow(String scope) {
        return guard.locked(() -> journal.openBelow(scope));
    }

    /** Decided once, and never otherwise while this run of the code lasts. */
    boolean patched(Strand strand, String changeId, String scope) {
        String id = Journal.OWN + "patch:" + changeId;
        boolean recorded = recorded(id) != null;
        Boolean before = guard.locked(() -> patches.get(changeId));
        if (before != null) {
            return before;
        }
        boolean applies = recorded || atFront(scope);
        guard.run(() -> patches.put(changeId, applies));
        if (applies && !recorded && !incarnation.readOnly()) {
            incarnation.outbox().hold(strand, new Advance.Do(Advance.operation(FlowBehaviour.FLOW, id),
                    Payload.EMPTY, Payload.EMPTY, new Request.Pass(false), null));
        }
        return applies;
    }
}
