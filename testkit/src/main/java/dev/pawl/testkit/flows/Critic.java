package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.ParentEnd;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.flows.Op.Trouble;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Text;
import dev.pawl.testkit.simulate.SimCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says what a flow must have come to. Whatever chance decided is in its record: who won a race, whether a signal came in time, where
 * a cancellation was heard. Everything else follows from the program, and is worked out here without any of the engine's code.
 */
final class Critic {

    private final Outside outside;
    private final Map<String, Snapshot> ends;
    private final WorkflowRecord workflow;
    private final Map<String, ActivityRecord> operations = new HashMap<>();
    private final Set<String> visited = new HashSet<>();
    private final Set<String> excused = new HashSet<>();
    private final List<Rollback> rollbacks = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private final Sayings sayings = new Sayings();
    private final Map<String, Op.Later> started = new HashMap<>();

    /** With what the compensation of an activity promises; null if it is none. */
    private record Rollback(String path, String id, String operation, Op.@Nullable Compensation compensation) {
    }

    /** How the code is left other than by its end. */
    private static final class Left extends Exception {

        private static final long serialVersionUID = 1L;

        final WorkflowStatus as;
        /** Which operation has failed, if one has: that can be caught. */
        final @Nullable String operation;

        Left(WorkflowStatus as, @Nullable String operation) {
            super(null, null, false, false);
            this.as = as;
            this.operation = operation;
        }
    }

    Critic(Outside outside, Map<String, Snapshot> ends, Snapshot end) {
        this.outside = outside;
        this.ends = ends;
        this.workflow = Objects.requireNonNull(end.workflow());
        FlowControl.operations(end).forEach(each -> operations.put(each.key().activity(), each));
    }

    /** What is wrong with it; one line each. */
    List<String> judge(List<Op> program) {
        if (workflow.status() == WorkflowStatus.INTERRUPTED) {
            // Its code was cut off anywhere: what holds is what holds of every record.
            standing();
            return wrong;
        }
        WorkflowStatus status = WorkflowStatus.COMPLETED;
        String result = "";
        try {
            result = run(Naming.root(), program, false) + " sum=" + sum();
        } catch (Left left) {
            status = left.as;
        }
        if (workflow.status() != status) {
            wrong("ended as " + workflow.status() + ", not as " + status + ": " + workflow.reason());
        } else if (status == WorkflowStatus.COMPLETED && !result.equals(text(workflow.output()))) {
            wrong("came to " + text(workflow.output()) + ", not to " + result);
        }
        operations.keySet().stream().filter(id -> !id.startsWith("~") && !visited.contains(id))
                .filter(id -> !handled(id))
                .filter(id -> excused.stream().noneMatch(id::startsWith)).sorted()
                .forEach(id -> wrong("has a record of " + id + ", which its code does not come to"));
        rolledBack(status);
        awaited(status);
        standing();
        return wrong;
    }

    /** What must be so wherever the code has stopped. */
    private void standing() {
        nothingBookedWithoutRecord();
        if (workflow.status() != WorkflowStatus.COMPLETED) {
            farewells(outside.events(workflow.key().workflowId()));
        }
        sayings.judge(outside.attributes(workflow.key().workflowId()), operations,
                workflow.beginning().origin() == null)
                .forEach(this::wrong);
    }

    /** Whether it is an operation of a handler that has begun. */
    private boolean handled(String id) {
        int end = id.indexOf(':');
        return id.startsWith("update.") && operations.containsKey("~began:" + id.substring("update.".length(), end));
    }

    private void wrong(String what) {
        wrong.add(workflow.key().workflowId() + " " + what);
    }

    private Outside.Place place(String id) {
        return new Outside.Place(workflow.key().workflowId(), id);
    }

    private static @Nullable String text(Payload payload) {
        return SimCodec.INSTANCE.decode(payload, String.class);
    }

    private boolean cancelled() {
        return operations.containsKey("~cancel");
    }

    private static boolean dropped(ActivityRecord record) {
        return record.ledger().finalized() && record.ledger().legTwoEntries() == 0;
    }

    private static @Nullable String failure(ActivityRecord record) {
        String text = Text.in(record.output());
        return text.startsWith("!") ? text : null;
    }

    private String run(Naming naming, List<Op> ops, boolean shielded) throws Left {
        List<@Nullable String> values = new ArrayList<>();
        for (Op op : ops) {
            values.add(run(naming, op, shielded));
        }
        return values.toString();
    }

    private @Nullable String run(Naming naming, Op op, boolean shielded) throws Left {
        return switch (op) {
            case Op.Step step -> deed(naming.id(step.name()), Guarantee.AT_LEAST_ONCE, step.trouble(), shielded);
            case Op.Act act -> {
                String id = naming.id(act.name());
                String value = deed(id, act.guarantee(), act.trouble(), shielded);
                if (act.compensation() != null) {
                    rollbacks.add(new Rollback(naming.path(), id, id, act.compensation()));
                }
                yield value;
            }
            case Op.Handed handed -> handed(naming.id(handed.name()), handed, shielded);
            case Op.Book book -> booked(naming.id(book.name()), book.trouble(), shielded);
            case Op.Sleep sleep -> {
                ended(naming.id("sleep"), shielded);
                yield "slept";
            }
            case Op.Signal signal -> signal(naming.id(signal.topic()), signal, shielded);
            case Op.All all -> {
                String fork = naming.id("all");
                List<Branching> branches = new ArrayList<>();
                for (int i = 0; i < all.branches().size(); i++) {
                    int item = i;
                    branches.add(() -> run(naming.branch(fork, item), all.branches().get(item), shielded));
                }
                yield all(branches);
            }
            case Op.Each each -> {
                String fork = naming.id("map");
                List<Branching> branches = new ArrayList<>();
                for (int i = 0; i < each.items(); i++) {
                    int item = i;
                    branches.add(() -> run(naming.branch(fork, item), each.body(), shielded));
                }
                yield all(branches);
            }
            case Op.Race race -> race(naming, naming.id("race"), race, shielded);
            case Op.Rivals rivals -> rivals(naming, naming.id("race"), rivals, shielded);
            case Op.Shielded body -> run(naming.shielded(naming.id("shielded")), body.body(), true);
            case Op.Try attempt -> {
                try {
                    yield run(naming, attempt.body(), shielded);
                } catch (Left left) {
                    if (left.operation == null) {
                        throw left;
                    }
                    yield "caught " + left.operation;
                }
            }
            case Op.Undo undo -> {
                String id = naming.path() + undo.name();
                rollbacks.add(new Rollback(naming.path(), id, id + "~u1", null));
                yield "armed";
            }
            case Op.Child child -> child(naming.id(Actor.FLOW), child, shielded);
            case Op.Later later -> later(naming, naming.id(Actor.FLOW), later, shielded);
            case Op.Attribute attribute -> attribute(naming, attribute, shielded);
            case Op.Patched patched -> "true";
            case Op.CancelOther other -> {
                sent(naming.id("cancel"), shielded);
                yield "asked";
            }
            case Op.Send send -> send(naming.id("signal-to"), send, shielded);
            case Op.Uuid uuid -> outside.same(place(naming.own("uuid")));
            case Op.Now now -> {
                ActivityRecord record = operations.get(naming.own("now"));
                yield record == null ? "unknown"
                        : String.valueOf(SimCodec.INSTANCE.<Instant>decode(record.output(), Instant.class));
            }
            case Op.Untyped untyped -> {
                String id = naming.id(untyped.name());
                ended(id, shielded);
                yield outside.same(place(id));
            }
            case Op.Stamp stamp -> stamped(naming.id(stamp.name()), shielded);
            case Op.Fail fail -> throw new Left(WorkflowStatus.FAILED, null);
        };
    }

    /** The record of something the code came to the end of. */
    private ActivityRecord ended(String id, boolean shielded) throws Left {
        ActivityRecord record = operations.get(id);
        visited.add(id);
        if (record == null || dropped(record)) {
            if (!cancelled() || shielded) {
                wrong((record == null ? "has no record of " : "has dropped ") + id);
            }
            throw new Left(WorkflowStatus.CANCELLED, null);
        }
        if (!record.ledger().finalized()) {
            wrong("has left " + id + " open");
        }
        return record;
    }

    /** Whatever versions of its class there are, it is read in the end, and no flow fails because of it. */
    private String stamped(String id, boolean shielded) throws Left {
        String text = Text.in(ended(id, shielded).output());
        if (!text.contains("\"text\":\"" + Deed.value(id) + "\"")) {
            wrong("has recorded " + text + " for " + id);
        }
        return Deed.value(id);
    }

    /** Over as soon as it is begun: nobody answers it. */
    private void sent(String id, boolean shielded) throws Left {
        visited.add(id);
        if (!operations.containsKey(id)) {
            if (!cancelled() || shielded) {
                wrong("has not sent " + id);
            }
            throw new Left(WorkflowStatus.CANCELLED, null);
        }
    }

    /** What the sender was told of it is what has become of it: it has arrived once, or it has not and cannot have. */
    private String send(String id, Op.Send send, boolean shielded) throws Left {
        ActivityRecord record = ended(id, shielded);
        WorkflowKey target = Scenario.key(send.workflowId());
        Guid guid = Guid.ofStart(workflow.key()).toChild(record.key()).signalTo(target);
        int arrived =
                outside.events(send.workflowId()).split("\"kept\":\"" + Pattern.quote(guid.base64()), -1).length - 1;
        String failure = failure(record);
        if (arrived != (failure == null ? 1 : 0)) {
            wrong("has sent " + id + " to " + target + ", where it has arrived " + arrived + " times, and was told "
                    + Text.in(record.output()));
        }
        if (failure == null) {
            return "sent";
        }
        Snapshot other = ends.get(send.workflowId());
        boolean closed = other != null && other.workflow() != null && other.workflow().gate().closed();
        if (!failure.equals("!\"NotFound\"") && !(closed && failure.equals("!\"WorkflowClosed\""))) {
            wrong("was told " + failure + " of " + id + " to " + target);
        }
        throw new Left(WorkflowStatus.FAILED, id);
    }

    private String deed(String id, Guarantee guarantee, Trouble trouble, boolean shielded) throws Left {
        ActivityRecord record = ended(id, shielded);
        String failure = failure(record);
        boolean certain = outside.begun(place(id)) > 0;
        if (failure == null) {
            String value = Deed.value(id);
            if (!value.equals(text(record.output()))) {
                wrong("has recorded " + text(record.output()) + " for " + id);
            }
            if (outside.times(place(id)) == 0 || !certain) {
                wrong("has recorded " + id + ", which never happened");
            }
            if (mustFail(guarantee, trouble) && !decided(id, "accept")) {
                wrong("has recorded a success of " + id + ", which has " + trouble);
            }
            return value;
        }
        if (failure.contains("pawl:aborted")) {
            if (!decided(id, "abort")) {
                wrong("was aborted at " + id + ", which nobody has decided");
            }
            throw new Left(WorkflowStatus.FAILED, null);
        }
        // An attempt whose time was up before it began has failed, too: what fails twice may have run only twice.
        boolean allBegan = outside.begun(place(id)) >= Actor.RETRY.maxAttempts();
        if (!mayFail(guarantee, trouble, failure) && (allBegan || trouble == Trouble.NONE)) {
            wrong("has recorded a failure of " + id + ", " + guarantee + " with " + trouble + ": " + failure);
        }
        throw new Left(WorkflowStatus.FAILED, id);
    }

    /** What a worker was to do: it says that it has, or was found to have. */
    private String handed(String id, Op.Handed handed, boolean shielded) throws Left {
        String failure = failure(ended(id, shielded));
        ActivityRecord end = operations.get("~e:" + id);
        if (failure == null && end != null) {
            failure = failure(end);
        } else if (failure != null && !mayFail(handed.guarantee(), Trouble.NONE, failure)) {
            wrong("has recorded a failure of the hand-over " + id + ", " + handed.guarantee() + ": " + failure);
        }
        if (failure != null) {
            boolean silent = failure.contains("Timeout");
            if (!silent && handed.worker() != Op.Worker.FAILS && handed.worker() != Op.Worker.FAILS_AFTERWARDS
                    && !mayFail(handed.guarantee(), Trouble.NONE, failure)) {
                wrong("has recorded a failure of " + id + ", whose worker " + handed.worker() + ": " + failure);
            }
            throw new Left(WorkflowStatus.FAILED, id);
        }
        ActivityRecord told = end != null && end.output().size() > 0 ? end : ended("~a:" + id, shielded);
        String value = text(told.output());
        if (!Deed.value(id).equals(value) || outside.times(place(id)) == 0) {
            wrong("has recorded " + value + " for " + id + ", which was done " + outside.times(place(id)) + " times");
        }
        return Deed.value(id);
    }

    /** Statements and their record: both or neither. */
    private String booked(String id, Trouble trouble, boolean shielded) throws Left {
        sent(id, shielded);
        ActivityRecord record = Objects.requireNonNull(operations.get(id));
        boolean failed = failure(record) != null;
        if (failed != (trouble == Trouble.FAILS_ALWAYS)) {
            wrong("has recorded " + Text.in(record.output()) + " for the transaction " + id + " with " + trouble);
        }
        if (failed) {
            throw new Left(WorkflowStatus.FAILED, id);
        }
        if (!Deed.value(id).equals(text(record.output()))) {
            wrong("has recorded " + text(record.output()) + " for " + id);
        }
        if (outside.rows(place(id)) != 1) {
            wrong("has recorded the transaction " + id + ", whose row is there " + outside.rows(place(id)) + " times");
        }
        return Deed.value(id);
    }

    /** Whoever did not come to its end, or lost a race, may have committed; but then its record is there. */
    private void nothingBookedWithoutRecord() {
        for (String id : outside.booked(workflow.key().workflowId())) {
            ActivityRecord record = operations.get(id);
            if (record == null || failure(record) != null || outside.rows(place(id)) != 1) {
                wrong("has " + outside.rows(place(id)) + " rows of the transaction " + id + ", whose record is "
                        + (record == null ? "nowhere" : Text.in(record.output())));
            }
        }
    }

    /** Whether somebody has decided this, last of all, and it is recorded who. */
    private boolean decided(String id, String decision) {
        int last = 0;
        while (operations.containsKey("~decision:d" + (last + 1) + ":" + id)) {
            last++;
        }
        ActivityRecord record = operations.get("~decision:d" + last + ":" + id);
        String text = record == null ? "" : Text.in(record.output());
        return text.contains("\"decision\":\"" + decision + "\"") && text.contains("\"subject\":\"somebody\"");
    }

    private static boolean mustFail(Guarantee guarantee, Trouble trouble) {
        return switch (trouble) {
            case NONE, COMES_LATE -> false;
            case FAILS_ALWAYS, CANNOT_BE_LOOKED_UP -> true;
            case FAILS_ONCE, FAILS_TWICE, LOSES_ANSWER -> guarantee == Guarantee.AT_MOST_ONCE;
        };
    }

    /** Time-outs come from pauses of the process, too. */
    private static boolean mayFail(Guarantee guarantee, Trouble trouble, String failure) {
        return mustFail(guarantee, trouble) || failure.contains("TimeoutException")
                || (guarantee == Guarantee.AT_MOST_ONCE && failure.contains("OutcomeUnknown"));
    }

    private String signal(String id, Op.Signal signal, boolean shielded) throws Left {
        ActivityRecord timer = operations.get("~t:" + id);
        ActivityRecord hook = operations.get(id);
        visited.add(id);
        if (hook != null && dropped(hook) && timer != null && !dropped(timer) && timer.ledger().finalized()) {
            return Actor.NOTHING;
        }
        String value = text(ended(id, shielded).output());
        if (!("from outside " + signal.topic()).equals(value)) {
            wrong("has got " + value + " at " + id);
        }
        return String.valueOf(value);
    }

    private interface Branching {

        String run() throws Left;
    }

    /** All of them come to their end; the first that fails counts. */
    private static String all(List<Branching> branches) throws Left {
        List<String> values = new ArrayList<>();
        Left first = null;
        for (Branching branch : branches) {
            try {
                values.add(branch.run());
            } catch (Left left) {
                first = first == null ? left : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return values.toString();
    }

    /** A signal that a losing branch has not used comes to the next wait; one that it has used does not. */
    private String rivals(Naming naming, String fork, Op.Rivals rivals, boolean shielded) throws Left {
        int winner = winner(fork, shielded);
        Naming branch = naming.branch(fork, winner);
        boolean used = rivals.use() != null && operations.containsKey(naming.branch(fork, 0).id(rivals.use().name()));
        signal(branch.id(winner == 0 ? rivals.first() : rivals.second()),
                new Op.Signal(winner == 0 ? rivals.first() : rivals.second(), null), shielded);
        if (winner == 0 && rivals.use() != null) {
            run(branch, rivals.use(), shielded);
        }
        String other = winner == 0 ? rivals.second() : rivals.first();
        String value = signal(naming.id(other), new Op.Signal(other, null), shielded);
        if (winner == 1 && used && !value.equals(Actor.NOTHING)) {
            wrong("has got " + other + " again, which a branch had used");
        }
        return winner + value;
    }

    private int winner(String fork, boolean shielded) throws Left {
        ActivityRecord record = operations.get(fork);
        visited.add(fork);
        excused.add(fork + ".");
        if (record == null) {
            if (!cancelled() || shielded) {
                wrong("has not decided " + fork);
            }
            throw new Left(WorkflowStatus.CANCELLED, null);
        }
        return Objects.requireNonNull(SimCodec.INSTANCE.<Integer>decode(record.output(), Integer.class));
    }

    private String race(Naming naming, String fork, Op.Race race, boolean shielded) throws Left {
        int winner = winner(fork, shielded);
        return run(naming.branch(fork, winner), race.branches().get(winner), shielded);
    }

    private @Nullable String child(String id, Op.Child child, boolean shielded) throws Left {
        ActivityRecord record = ended(id, shielded);
        Snapshot other = ends.get(child.workflowId());
        WorkflowRecord started = other == null ? null : other.workflow();
        if (started == null) {
            wrong("has a record of its child " + child.workflowId() + ", which is nowhere");
            return null;
        }
        boolean completed = started.status() == WorkflowStatus.COMPLETED;
        if (!child.awaited()) {
            return "started";
        }
        if (completed != (failure(record) == null)) {
            wrong("has recorded " + Text.in(record.output()) + " of its child, which is " + started.status());
        }
        if (!completed) {
            throw new Left(WorkflowStatus.FAILED, id);
        }
        return text(started.output());
    }

    private String attribute(Naming naming, Op.Attribute attribute, boolean shielded) throws Left {
        String name = Actor.attribute(naming, attribute);
        for (long value = 1; value <= attribute.times(); value++) {
            sent(naming.id("attribute"), shielded);
            sayings.says(name, value);
        }
        if (attribute.removed()) {
            sent(naming.id("attribute"), shielded);
            sayings.says(name, null);
        }
        return "said";
    }

    private String later(Naming naming, String id, Op.Later later, boolean shielded) throws Left {
        sent(id, shielded);
        started.put(id, later);
        String meanwhile = run(naming, later.meanwhile(), shielded);
        if (operations.containsKey("~c:" + id)) {
            // The wait was ended by a cancellation, and the child with it.
            throw new Left(WorkflowStatus.CANCELLED, null);
        }
        return meanwhile + child(id, new Op.Child(later.workflowId(), true), shielded);
    }

    /** Whoever has not ended well has seen the end of the children it had to wait for. */
    private void awaited(WorkflowStatus status) {
        started.forEach((id, later) -> {
            boolean open = Objects.requireNonNull(operations.get(id)).ledger().legTwoEntries() == 0;
            if (status != WorkflowStatus.COMPLETED && later.onParentEnd() == ParentEnd.AWAIT_CANCEL && open) {
                wrong("has ended before " + later.workflowId());
            }
        });
    }

    /** And has asked those to cancel that had not answered, whoever has ended it: the record says which of them want to be asked. */
    private void farewells(String events) {
        operations.forEach((id, record) -> {
            Recipient child = record.child();
            if (child != null
                    && !events.contains("\"kind\":\"signal\",\"workflow\":\"" + child.workflow() + "\"")
                    && record.ledger().legTwoEntries() == 0
                    && Text.in(record.input()).contains("\"onParentEnd\":")) {
                wrong("has not asked " + child.workflow() + " to cancel");
            }
        });
    }

    /** Updates are answered one after the other, each knowing of all before it; the result knows of those before the code was at its end. */
    private long sum() {
        long sum = 0;
        long returned = 0;
        List<Map<String, Object>> updates = new ArrayList<>();
        operations.forEach((id, record) -> {
            if (id.startsWith("~began:") && !operations.containsKey(id.replace("~began:", "~update:"))) {
                wrong("has ended, and never answered " + id);
            }
            if (id.startsWith("~update:")) {
                Map<String, Object> header =
                        new HashMap<>(Objects.requireNonNull(SimCodec.INSTANCE.<Map<String, Object>>decode(
                                record.input(), Map.class)));
                header.put("answer", Text.in(record.output()));
                updates.add(header);
            }
        });
        updates.sort(Comparator.comparing(update -> (Integer) update.get("number")));
        for (Map<String, Object> update : updates) {
            if (String.valueOf(update.get("answer")).startsWith("!")) {
                if (!cancelled()) {
                    wrong("has answered " + update + ", although nothing was wrong with it");
                }
                continue;
            }
            sum += (Integer) Objects.requireNonNull(update.get("arguments"));
            if (!Long.toString(sum).equals(update.get("answer"))) {
                wrong("has answered update " + update + " though the sum is " + sum);
            }
            returned = "~end".equals(update.get("at")) ? returned : sum;
        }
        return returned;
    }

    /** Whether it was taken back; if it was not, there is a good reason for that. */
    private boolean compensated(Rollback rollback) {
        String id = Actor.UNDO + rollback.operation();
        Op.Compensation compensation = rollback.compensation();
        if (compensation != null) {
            try {
                deed(id, compensation.guarantee(), compensation.trouble(), true);
                return true;
            } catch (Left left) {
                if (left.operation != null && !operations.containsKey("~f:" + id)) {
                    wrong("has no case about " + id + ", which has failed");
                }
                return false;
            }
        }
        ActivityRecord record = operations.get(id);
        if (record == null || dropped(record) || failure(record) != null
                || outside.undone(place(rollback.id())).isEmpty()) {
            wrong("has not taken back " + rollback.id());
        }
        return true;
    }

    /** Whatever was done is taken back, the last first, if and only if the flow came to no good end. */
    private void rolledBack(WorkflowStatus status) {
        boolean good = status == WorkflowStatus.COMPLETED;
        Set<String> expected = new HashSet<>();
        int failed = 0;
        for (Rollback rollback : good ? List.<Rollback>of() : rollbacks) {
            expected.add(rollback.id());
            if (!compensated(rollback)) {
                failed++;
                if (!Objects.toString(workflow.reason()).contains(rollback.operation() + " (") && failed <= 5) {
                    wrong("does not say that " + rollback.operation() + " is not compensated: " + workflow.reason());
                }
            }
        }
        outside.undone().stream().filter(place -> place.workflowId().equals(workflow.key().workflowId()))
                .map(Outside.Place::id).filter(id -> !expected.contains(id))
                .filter(id -> good || excused.stream().noneMatch(id::startsWith))
                .forEach(id -> wrong("has taken back " + id + " although it should not"));
        for (int i = 0; !good && wrong.isEmpty() && i < rollbacks.size(); i++) {
            for (int j = i + 1; j < rollbacks.size(); j++) {
                Rollback first = rollbacks.get(i);
                Rollback later = rollbacks.get(j);
                List<Integer> firstTimes = outside.undone(place(first.id()));
                List<Integer> laterTimes = outside.undone(place(later.id()));
                if (first.path().equals(later.path()) && !firstTimes.isEmpty() && !laterTimes.isEmpty()
                        && firstTimes.getFirst() < laterTimes.getFirst()) {
                    wrong("has taken back " + first.id() + " before " + later.id());
                }
            }
        }
    }

}
