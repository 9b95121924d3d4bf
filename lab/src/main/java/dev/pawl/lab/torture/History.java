package dev.pawl.lab.torture;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One workflow, told again from its events alone: what every ledger, the semaphore and the joins must be by now. Whatever is
 * told twice, in the wrong order or too early is a violation; what is not told, but stored, is for {@link Retelling} to find.
 */
final class History {

    private static final JsonMapper JSON = JsonMapper.shared();

    final String workflow;
    final List<String> violations = new ArrayList<>();
    /** The hash of each event, in order. */
    final List<Hash> hashes = new ArrayList<>();
    final Map<ActivityKey, ActivityLedger> activities = new HashMap<>();
    /** Digests of what was given to an activity, and of what it answered; none where it was nothing. */
    final Map<ActivityKey, String> inputs = new HashMap<>();
    final Map<ActivityKey, String> outputs = new HashMap<>();
    /** The last attempt that was declared. */
    final Map<ActivityKey, Integer> attempts = new HashMap<>();
    final Map<String, GuidLedger> ledgers = new HashMap<>();
    final Map<ActivityKey, Integer> arrivals = new HashMap<>();
    final Set<ActivityKey> opened = new HashSet<>();
    final Set<String> kept = new HashSet<>();
    long semaphore = 1;
    long messages;
    @Nullable String closer;
    @Nullable String status;
    @Nullable String output;
    private final Map<ActivityKey, String> wakers = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    /** The message of the events that name none. */
    private final String start;
    private Hash last = Hash.NONE;
    private long threshold;

    History(WorkflowKey workflow) {
        this.workflow = workflow.workflowId();
        this.start = Guid.ofStart(workflow).base64();
    }

    void add(Event event) {
        if (event.number() != hashes.size() + 1 || !event.follows(last)) {
            violations.add("chain: event " + event.number() + " of " + workflow + " does not follow the one before it");
        }
        last = event.hash();
        hashes.add(last);
        JsonNode json = JSON.readTree(event.json());
        String guid = json.path("guid").asString(start);
        Instant at = Instant.ofEpochMilli(json.path("at").asLong());
        threshold = json.path("started").path("threshold").asLong(threshold);
        json.path("activities").forEach(activity -> {
            activity(activity, at);
            if (activity.has("message")) {
                ledger(guid, activity.path("message").asLong());
            }
        });
        json.path("ledgers").forEach(ledger -> ledger(ledger.path("guid").asString(guid),
                ledger.path("ledger").asLong()));
        boolean advanced = json.path("cause").asString("").equals(Occasion.ADVANCE);
        json.path("moves").forEach(move -> move(move, guid, advanced));
        json.path("joins").forEach(this::join);
        json.path("sent").forEach(this::sent);
        json.path("signals").forEach(this::signal);
        if (json.has("closed")) {
            closed(json.path("closed"));
        }
    }

    private static ActivityKey place(JsonNode json) {
        String key = json.path("key").asString("");
        int comma = key.indexOf(',');
        return new ActivityKey(key.substring(0, comma), new DimensionalAddress(key.substring(comma)));
    }

    private void activity(JsonNode json, Instant at) {
        ActivityKey key = place(json);
        ActivityLedger ledger = new ActivityLedger(json.path("ledger").asLong());
        ActivityLedger before = activities.put(key, ledger);
        check(before == null || ledger.follows(before),
                "P3 the ledger of " + key + " went from " + before + " to " + ledger);
        if (json.has("input")) {
            inputs.put(key, json.path("input").asString(""));
        }
        outputs.put(key, json.path("output").asString(""));
        boolean dropped = ledger.finalized() && ledger.legTwoEntries() == 0;
        waker(key, json.path("waker").asString(""), at, dropped);
    }

    /** P7, and what is the same for a task: nobody is asked again before the time of the one asked first is up. */
    private void waker(ActivityKey key, String waker, Instant at, boolean dropped) {
        String before = wakers.put(key, waker);
        // A timer that no code waits for any more is dropped; it has not fired.
        if (before != null && before.startsWith("timer ") && !waker.equals(before) && !dropped) {
            Instant due = Instant.ofEpochMilli(Long.parseLong(before.substring("timer ".length())));
            check(!at.isBefore(due), "P7 the timer of " + key + " due at " + due + " fired at " + at);
        }
        if (waker.startsWith("task ")) {
            String[] words = waker.split(" ", -1);
            int attempt = Integer.parseInt(words[3]);
            int earlier = attempts.getOrDefault(key, 0);
            attempts.put(key, attempt);
            check(attempt == earlier || attempt == earlier + 1,
                    "P9 attempt " + attempt + " of " + key + " came after attempt " + earlier);
            if (before != null && before.startsWith("task ") && attempt > earlier) {
                Instant deadline = Instant.ofEpochMilli(Long.parseLong(before.split(" ", -1)[5]));
                check(!at.isBefore(deadline),
                        "P9 attempt " + attempt + " of " + key + " was made at " + at + " before " + deadline);
            }
        }
    }

    private void ledger(String guid, long digits) {
        GuidLedger ledger = new GuidLedger(digits);
        GuidLedger before = ledgers.put(guid, ledger);
        check(before == null || ledger.follows(before),
                "P3 the ledger of message " + guid + " went from " + before + " to " + ledger);
    }

    /** P4: the closer is whoever brings the semaphore to its threshold first, and nobody after it. */
    private void move(JsonNode json, String own, boolean advanced) {
        String by = json.path("by").asString(own);
        semaphore += json.path("delta").asLong();
        boolean closes = json.path("closes").asBoolean(false);
        check(semaphore >= 0, "P4 the semaphore fell to " + semaphore);
        check(closes == (closer == null && semaphore == threshold),
                "P4 " + by + (closes ? " closed" : " did not close") + " at " + semaphore + " of " + threshold
                        + ", closed by " + closer);
        if (closes) {
            closer = by;
            // Neither a trigger nor an operation of a flow has this digit; a message that interrupts its own workflow does.
            boolean digit =
                    ledgers.containsKey(by) && (ledgers.get(by).ordinal() > 0 || !(by.equals(start) || advanced));
            ledgers.computeIfPresent(by, (guid, ledger) -> ledger.closer() || !digit ? ledger : ledger.markCloser());
        }
    }

    private void join(JsonNode json) {
        ActivityKey key = place(json);
        int arrived = arrivals.merge(key, 1, Integer::sum);
        int expected = json.path("arrivals").asInt();
        check(json.path("opens").asBoolean(false) == (arrived == expected),
                "P4 arrival " + arrived + " of " + expected + " at the join " + key);
        if (arrived == expected) {
            opened.add(key);
        }
    }

    private void sent(JsonNode json) {
        if (json.has("number")) {
            long number = json.path("number").asLong();
            check(number == messages, "P2 message " + number + " was queued as number " + messages);
            messages = number + 1;
        }
    }

    private void signal(JsonNode json) {
        if (json.has("kept")) {
            String guid = json.path("kept").asString("");
            check(kept.add(guid) && !taken.contains(guid), "P6 signal " + guid + " was kept twice");
        } else {
            String guid = json.path("taken").asString("");
            check(kept.remove(guid) && taken.add(guid), "P6 signal " + guid + " was taken, but not kept before");
        }
    }

    private void closed(JsonNode json) {
        check(status == null, "P4 closed twice");
        status = json.path("status").asString("");
        output = json.path("output").asString("");
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation + " (" + workflow + ", event " + hashes.size() + ")");
        }
    }
}
