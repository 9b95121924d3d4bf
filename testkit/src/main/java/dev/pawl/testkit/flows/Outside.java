package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.sim.SimRows;
import dev.pawl.testkit.sim.SimStore;
import dev.pawl.testkit.simulate.Play;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The world that flows do something to, with books of its own. It sees what no store can see: that something was done which is
 * recorded nowhere, or done again although it is recorded. It looks into the database for what is durable at that moment.
 */
final class Outside {

    private final Store store;
    private final Map<Place, Book> books = new TreeMap<>();
    private final Map<Place, List<Integer>> undone = new TreeMap<>();
    private final Map<Place, String> same = new HashMap<>();
    private final Map<String, Place> keys = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Workers workers = new Workers(this);
    private int moments;

    /** An operation of a workflow. */
    record Place(String workflowId, String id) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int first = workflowId.compareTo(other.workflowId);
            return first != 0 ? first : id.compareTo(other.id);
        }
    }

    /** What is known of one operation. */
    private static final class Book {

        private final Set<Integer> attempts = new HashSet<>();
        private final List<Integer> done = new ArrayList<>();
        private @Nullable String key;
        private int begun;
        /** How often nothing was durable of it when it ran; and where, under leases that began then. */
        private int undeclared;
        private final Map<String, Tenure> undeclaredIn = new TreeMap<>();
        private int durableAttempt;
        private int absences;
        private int lastAbsence;
        /** Which process has seen that it is done. */
        private @Nullable String foundBy;
        /** Processes that are at it. */
        private final Map<String, Tenure> running = new TreeMap<>();
    }

    /**
     * As long as the lease that began then lasts, and until that time, other processes have to wait.
     *
     * @param robberies of what is not declared: how often the shard had been robbed then. Whoever has the shard after the next time
     *        cannot know of it; null for what is declared.
     */
    private record Tenure(Instant lease, Instant until, @Nullable Integer robberies) {
    }

    private boolean lasts(String process, Tenure tenure, Place place) {
        return tenure.lease().equals(leasedSince(process))
                && (tenure.robberies() == null || tenure.robberies() == robberies(place));
    }

    /** How often the shard of a workflow was taken from an engine that had a lease. */
    private int robberies(Place place) {
        return store instanceof SimStore simulated
                ? simulated.robberies(Scenario.key(place.workflowId()), Scenario.GROUP)
                : 0;
    }

    Outside(Store store) {
        this.store = store;
    }

    List<String> violations() {
        return violations;
    }

    private Book book(Place place) {
        return books.computeIfAbsent(place, missing -> new Book());
    }

    private @Nullable ActivityRecord durable(Place place, String id) {
        Snapshot snapshot = store.load(Scenario.key(place.workflowId()));
        return FlowControl.operations(snapshot).stream().filter(each -> each.key().activity().equals(id)).findFirst()
                .orElse(null);
    }

    /** Somebody sets about it; returns for which time. */
    int begun(Deed deed, int attempt, String key) {
        Place place = deed.place();
        Book book = book(place);
        moments++;
        ActivityRecord record = durable(place, place.id());
        boolean undeclared = record == null && deed.plain();
        begins(deed, attempt, book, undeclared);
        book.begun++;
        check(store.pools(Scenario.NAMESPACE).stream().allMatch(use -> use.held() <= use.pool().max()),
                () -> place + " runs, and more slots are held than there are");
        if (undeclared) {
            undeclared(deed, book);
        } else {
            check(record != null, () -> "P9 " + place + " ran before its beginning was durable");
        }
        book.durableAttempt = Math.max(book.durableAttempt, 1);
        if (record != null && record.waker() instanceof Waker.Local local) {
            book.durableAttempt = Math.max(book.durableAttempt, local.attempt());
        }
        // Who lost a race a moment ago runs on until it notices.
        boolean dropped = record != null && record.ledger().finalized() && record.ledger().legTwoEntries() == 0;
        check(dropped || book.begun - book.undeclared <= book.durableAttempt, () -> "P9 " + place + " ran " + book.begun
                + " times, but only " + book.durableAttempt + " attempts are durable");
        check(attempt == 0 || (attempt == 1 && deed.plain()) || book.attempts.add(attempt),
                () -> "P9 attempt " + attempt + " of " + place
                        + " ran twice");
        check(deed.guarantee() != Guarantee.AT_MOST_ONCE || book.begun == 1,
                () -> "P9 " + place + " is at-most-once, and ran " + book.begun + " times");
        if (attempt > 0) {
            check(book.key == null || book.key.equals(key), () -> "P9 the key of " + place + " is not the same");
            check(place.equals(keys.computeIfAbsent(key, missing -> place)),
                    () -> "P9 " + place + " has the key of another operation");
            book.key = key;
        }
        if (deed.guarantee() == Guarantee.RECONCILED) {
            check(book.absences >= book.begun - 1, () -> "P9 attempt " + attempt + " of " + place
                    + " ran, though it was looked up only " + book.absences + " times");
            check(!deed.site().name().equals(book.foundBy) || attempt < book.durableAttempt,
                    () -> "P2 " + place + " was found to be done, and ran again");
        }
        String before = deed.before();
        if (before != null) {
            ActivityRecord earlier = durable(place, before);
            check(earlier != null && earlier.ledger().finalized(),
                    () -> "P1 " + place + " ran before the end of " + before + " was durable");
        }
        return book.begun;
    }

    /**
     * A plain step need not be declared. But it does not run again without a declaration as long as a process that has run it so has the
     * lease it had then: that process records its end, or declares it before the shard gets another owner.
     */
    private void undeclared(Deed deed, Book book) {
        String process = deed.site().name();
        book.undeclaredIn.forEach((other, tenure) -> check(!lasts(other, tenure, deed.place()),
                () -> "P2 " + deed.place() + " began in " + process + " without a declaration, and has run so in "
                        + other
                        + ", which has a lease"));
        book.undeclared++;
        book.undeclaredIn.put(process, new Tenure(Objects.requireNonNullElse(leasedSince(process), Instant.EPOCH),
                Instant.MAX, robberies(deed.place())));
    }

    /**
     * An attempt belongs to its process until its time is up or the lease of that process runs out; and none begins without a
     * lease. A process that was stopped for longer than its lease and has a new one has lost what it had begun before; one whose shard was
     * robbed, what nothing declared.
     */
    private void begins(Deed deed, int attempt, Book book, boolean undeclared) {
        String process = deed.site().name();
        Instant now = deed.site().threads().now();
        Instant lease = leasedSince(process);
        check(lease != null, () -> "P5 " + deed.place() + " began in " + process + ", whose lease is over");
        book.running.forEach((other, tenure) -> check(other.equals(process) || !now.isBefore(tenure.until())
                || !lasts(other, tenure, deed.place()),
                () -> "P2 " + deed.place() + " began in " + process
                        + " while it runs in " + other + ", which has a lease"));
        Instant until = attempt == 0 ? Instant.MAX : now.plus(Actor.TIMEOUT);
        book.running.put(process, new Tenure(Objects.requireNonNullElse(lease, Instant.EPOCH), until,
                undeclared ? Integer.valueOf(robberies(deed.place())) : null));
    }

    private @Nullable Instant leasedSince(String process) {
        if (store instanceof SimStore simulated) {
            return simulated.presentSince(Scenario.NAMESPACE, Scenario.GROUP, process);
        }
        boolean leased = store.presences(Scenario.NAMESPACE, Scenario.GROUP).stream()
                .anyMatch(each -> each.owner().equals(process) && each.live());
        return leased ? Instant.EPOCH : null;
    }

    void ended(Deed deed) {
        book(deed.place()).running.remove(deed.site().name());
    }

    /** The effect. Who was overtaken by a later attempt while it was on its way may come twice: nobody could have stopped it. */
    void done(Deed deed, int attempt) {
        deed.site().threads().check();
        Place place = deed.place();
        Book book = book(place);
        int moment = ++moments;
        if (deed.guarantee() == Guarantee.RECONCILED && !book.done.isEmpty()) {
            boolean overtaken = attempt < book.durableAttempt;
            boolean unseen = book.done.stream().allMatch(earlier -> earlier > book.lastAbsence);
            check(overtaken || (unseen && book.absences > 0),
                    () -> "P2 " + place + " was done twice, though it can be looked up");
        }
        book.done.add(moment);
    }

    /** Whether it is done. */
    boolean looked(Deed deed) {
        Book book = book(deed.place());
        if (book.done.isEmpty()) {
            book.absences++;
            book.lastAbsence = ++moments;
            return false;
        }
        book.foundBy = deed.site().name();
        return true;
    }

    /** The statements of a transaction. What they write before they fail must be gone. */
    String book(Play.Site site, Place place, Op.Trouble trouble, SimRows rows) {
        site.threads().check();
        int time = ++book(place).begun;
        rows.put(place.toString());
        if (trouble == Op.Trouble.FAILS_ALWAYS || (trouble == Op.Trouble.FAILS_ONCE && time == 1)) {
            throw new IllegalStateException("not this time");
        }
        return Deed.value(place.id());
    }

    /** How often a transaction has left what it wrote. */
    int rows(Place place) {
        return booked().getOrDefault(place.toString(), 0);
    }

    private Map<String, Integer> booked() {
        return store instanceof SimStore simulated ? simulated.rows() : Map.of();
    }

    /** What transactions of a workflow have left. */
    Set<String> booked(String workflowId) {
        return books.keySet().stream().filter(place -> place.workflowId().equals(workflowId))
                .filter(place -> booked().containsKey(place.toString())).map(Place::id).collect(Collectors.toSet());
    }

    /** What is recorded of the effects of a workflow. */
    List<EffectRecord> effects(String workflowId) {
        return store.effects(Scenario.key(workflowId));
    }

    List<Attribute> attributes(String workflowId) {
        return store.attributes(Scenario.key(workflowId));
    }

    /** Everything a workflow has done, as it is told. */
    String events(String workflowId) {
        return store.events(Scenario.key(workflowId), 0, Integer.MAX_VALUE).stream().map(Event::json)
                .collect(Collectors.joining("\n"));
    }

    Workers workers() {
        return workers;
    }

    /** A worker does it; it recognises the key of what it has done before. */
    void doneByWorker(Place place) {
        Book book = book(place);
        if (book.done.isEmpty()) {
            book.done.add(++moments);
        }
    }

    /** Whether somebody has looked for it, and found nothing. */
    boolean foundMissing(Place place) {
        return book(place).absences > 0;
    }

    void violation(String what) {
        violations.add(what);
    }

    int times(Place place) {
        return book(place).done.size();
    }

    int begun(Place place) {
        return book(place).begun;
    }

    void undone(Play.Site site, Place place) {
        site.threads().check();
        undone.computeIfAbsent(place, missing -> new ArrayList<>()).add(++moments);
    }

    /** When it was taken back. */
    List<Integer> undone(Place place) {
        return undone.getOrDefault(place, List.of());
    }

    Set<Place> undone() {
        return undone.keySet();
    }

    /** What must be the same whenever the code comes here. */
    String same(Play.Site site, Place place, String value) {
        site.threads().check();
        String before = same.putIfAbsent(place, value);
        check(before == null || before.equals(value), () -> "P1 " + place + " is not the same twice");
        return value;
    }

    @Nullable String same(Place place) {
        return same.get(place);
    }

    private void check(boolean holds, Supplier<String> violation) {
        if (!holds) {
            violations.add(violation.get());
        }
    }
}
