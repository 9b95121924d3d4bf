package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one flow that are durable, and which of them the code has come to. Within a branch the code does one thing after
 * the other: if it asks for something new while something recorded has not been asked for, it is not the code that made the record.
 *
 * <p>Not thread-safe; guarded by its incarnation.
 */
final class Journal {

    /** Ids that begin so are the engine's own, and not in the order of the code. */
    static final String OWN = "~";

    private static final char SCOPE_END = ':';
    private static final int SHOWN_MAX = 5;
    private static final String PAUSE = OWN + "r";
    private static final String HAND_OVER = OWN + "h";
    private static final String ANSWER = OWN + "a";
    private static final String OUTCOME = OWN + "o";
    private static final String REFUSED = OWN + "x";
    private static final String READ = OWN + "y";
    private static final String TOKEN = OWN + "k";

    private final Map<String, ActivityRecord> records = new HashMap<>();
    private final Set<String> open = new LinkedHashSet<>();
    private final Map<String, Set<String>> expectedByScope = new HashMap<>();

    /** Code and record do not agree. Both sides are for logs and for people: without values of the user's. */
    record Mismatch(String recorded, String attempted) {

        /** Of one operation; if it looks the same, what is not shown is different. */
        static Mismatch of(String recorded, String attempted) {
            return new Mismatch(recorded, attempted.equals(recorded) ? attempted + " with other arguments" : attempted);
        }
    }

    Journal(List<ActivityRecord> activities) {
        for (ActivityRecord activity : activities) {
            if (activity.key().address().equals(FlowBehaviour.OPERATIONS)) {
                String id = activity.key().activity();
                records.put(id, activity);
                if (!activity.ledger().finalized()) {
                    open.add(id);
                }
                if (!id.startsWith(OWN)) {
                    expectedByScope.computeIfAbsent(scope(id), none -> new LinkedHashSet<>()).add(id);
                }
            }
        }
    }

    private static String scope(String id) {
        return id.substring(0, id.lastIndexOf(SCOPE_END) + 1);
    }

    /** The wait between two attempts of an operation. */
    static String pause(String id, int attempt) {
        return PAUSE + attempt + SCOPE_END + id;
    }

    /** How an attempt has ended that belonged to another process. */
    static String outcome(int attempt, String id) {
        return OUTCOME + attempt + SCOPE_END + id;
    }

    /** The signal that a wait has taken could not be read. */
    static String refused(String id) {
        return REFUSED + SCOPE_END + id;
    }

    /** It could be read later, after all. */
    static String read(String id) {
        return READ + SCOPE_END + id;
    }

    /** The hash of the token of one attempt to hand an operation over. */
    static String token(int handOver, String id) {
        return TOKEN + handOver + SCOPE_END + id;
    }

    /** What a person is asked about an operation. */
    static String question(String mark, int number, String id) {
        return OWN + mark + number + SCOPE_END + id;
    }

    /** The hand-over of an operation to somebody else; the first is the operation itself. */
    static String handOver(int round, String id) {
        return round == 1 ? id : HAND_OVER + round + SCOPE_END + id;
    }

    /** How an operation has ended that was handed over. */
    static String handOverEnd(String id) {
        return OWN + "e:" + id;
    }

    /** How an effect has ended whose branch had lost a race by then. */
    static String lostEnd(String id) {
        return OWN + "l:" + id;
    }

    /** The wait for whoever it was handed to; each heartbeat begins another one. */
    static String answer(int round, int heartbeats, String id) {
        return ANSWER + (round == 1 ? "" : String.valueOf(round)) + (heartbeats == 0 ? "" : "." + heartbeats)
                + SCOPE_END + id;
    }

    /** Whether an operation is a wait for an answer to another one, in any round. */
    static boolean answers(String id, String about) {
        return id.startsWith(ANSWER) && id.endsWith(SCOPE_END + about)
                && id.substring(ANSWER.length(), id.length() - about.length() - 1).chars()
                        .allMatch(c -> Character.isDigit(c) || c == '.');
    }

    /** The operation that such a wait, question or hand-over belongs to; any other operation belongs to itself. */
    static String paused(String id) {
        boolean belongs = id.startsWith(PAUSE) || id.startsWith(HAND_OVER) || id.startsWith(ANSWER)
                || id.startsWith(OWN + Questions.UNKNOWN) || id.startsWith(OWN + Questions.REPLAY);
        return belongs ? paused(about(id)) : id;
    }

    /** What comes after the colon of an operation of the engine's own. */
    static String about(String id) {
        return id.substring(id.indexOf(SCOPE_END) + 1);
    }

    /** The record of an operation that the code has come to; null if it is new. */
    @Nullable ActivityRecord reach(String id) {
        Set<String> expected = expectedByScope.get(scope(id));
        if (expected != null && expected.remove(id) && expected.isEmpty()) {
            expectedByScope.remove(scope(id));
        }
        return records.get(id);
    }

    /** What speaks against the code's asking for this; null if nothing does. */
    @Nullable Mismatch mismatch(String id, Payload header, Codec codec) {
        ActivityRecord recorded = records.get(id);
        if (recorded != null) {
            return Header.same(recorded.input(), header, codec) ? null
                    : Mismatch.of(shown(id, recorded.input()), shown(id, header));
        }
        Set<String> expected = expectedByScope.get(scope(id));
        if (expected == null) {
            return null;
        }
        return new Mismatch(shown(expected), shown(id, header));
    }

    /** What the code of a branch has not asked for although it is at its end; null if there is no such thing. */
    @Nullable Mismatch leftOver(String scope) {
        Set<String> expected = expectedByScope.get(scope);
        return expected == null ? null : new Mismatch(shown(expected), "the end of the code");
    }

    /** What was recorded and has not been asked for; more than a few tell nothing more. */
    private String shown(Set<String> expected) {
        return expected.stream().limit(SHOWN_MAX).map(id -> {
            ActivityRecord missed = records.get(id);
            return shown(id, missed == null ? Payload.EMPTY : missed.input());
        }).collect(Collectors.joining("; ")) + (expected.size() > SHOWN_MAX ? "; …" : "");
    }

    private static String shown(String id, Payload header) {
        return id + " " + Header.shown(header);
    }

    @Nullable ActivityRecord get(String id) {
        return records.get(id);
    }

    List<ActivityRecord> withPrefix(String prefix) {
        List<ActivityRecord> found = new ArrayList<>();
        for (ActivityRecord record : records.values()) {
            if (record.key().activity().startsWith(prefix)) {
                found.add(record);
            }
        }
        return found;
    }

    void put(ActivityRecord record) {
        records.put(record.key().activity(), record);
    }

    /** From now on open, unless it is answered. */
    void begun(String id) {
        open.add(id);
    }

    /** Operations below a scope that were begun and have not been answered. */
    List<String> openBelow(String scope) {
        return open.stream().filter(id -> below(id, scope)).filter(id -> {
            ActivityRecord record = records.get(id);
            return record == null || !record.ledger().finalized();
        }).toList();
    }

    /** The engine's own operations name the one they belong to after their own colon. */
    private static boolean below(String id, String scope) {
        return id.startsWith(scope)
                || (id.startsWith(OWN) && id.indexOf(SCOPE_END) >= 0 && below(about(id), scope));
    }

    /** Whether everything recorded has been asked for, in all branches: the code has never been further. */
    boolean caughtUp() {
        return expectedByScope.isEmpty();
    }

    /** The same below a scope. */
    boolean caughtUp(String scope) {
        return expectedByScope.keySet().stream().noneMatch(each -> each.startsWith(scope));
    }

    /** In how many scopes something recorded has not been asked for. */
    int scopesBehind() {
        return expectedByScope.size();
    }

    boolean isBegun(String id) {
        return records.containsKey(id) || open.contains(id);
    }

    /** Nobody will ask for what is recorded below a scope. */
    void skip(String scope) {
        expectedByScope.keySet().removeIf(each -> each.startsWith(scope));
    }

    /** Whether everything recorded in a branch has been asked for: the code is at its front. */
    boolean atFront(String scope) {
        return !expectedByScope.containsKey(scope);
    }

    /**
     * Whether nothing is recorded that the code of a branch has come to after this, in the branch, in those it has begun, or in the code
     * that waits for it. What runs beside it does not count.
     */
    boolean nothingAfter(String scope) {
        return expectedByScope.keySet().stream().noneMatch(other -> other.startsWith(scope) || after(other, scope));
    }

    /** Whether a scope can be come to only when a branch has ended. */
    private static boolean after(String other, String branch) {
        for (int end = 0; end < branch.length();) {
            String outer = branch.substring(0, end);
            int next = branch.indexOf(SCOPE_END, end) + 1;
            int item = branch.lastIndexOf('.', next);
            // Branches of the same fork run beside each other.
            String beside = branch.substring(0, item > end ? item + 1 : next);
            if (other.startsWith(outer) && !other.startsWith(beside)) {
                return true;
            }
            end = next;
        }
        return false;
    }
}
