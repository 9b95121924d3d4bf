package dev.pawl.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs and counts whatever takes a shard, a workflow or an engine out of service. A condition that lasts is logged when it begins and when
 * it ends, however often it is noticed in between. Safe for use by many threads.
 */
public final class Incidents {

    private static final Logger LOG = System.getLogger(Incidents.class.getName());

    /** What can happen; each kind has a counter. */
    public enum Kind {
        SHARD_OUT_OF_SERVICE("ShardsOutOfServiceTotal"),
        STORE_OUTAGE("StoreOutagesTotal"),
        DEFINITION_MISSING("DefinitionsMissingTotal"),
        RECORD_UNREADABLE("RecordsUnreadableTotal"),
        COMPENSATION_FAILED("CompensationsFailedTotal"),
        SIGNAL_NOT_ACCEPTED("SignalsNotAcceptedTotal"),
        LEASE_AWAITED("LeasesAwaitedTotal"),
        PARKED_RESULT_AWAITED("ParkedResultsAwaitedTotal"),
        FATAL_ERROR("FatalErrorsTotal");

        private final String counter;

        Kind(String counter) {
            this.counter = counter;
        }

        public String counter() {
            return counter;
        }
    }

    private final Map<Kind, Long> counts = new ConcurrentHashMap<>();
    private final Set<Condition> open = ConcurrentHashMap.newKeySet();

    private record Condition(Kind kind, String subject) {
    }

    /** Something has happened once. */
    public void happened(Kind kind, Level level, String message) {
        counts.merge(kind, 1L, Long::sum);
        LOG.log(level, message);
    }

    /** A condition has been noticed; it is logged and counted unless it is known. Subjects must be few: shards, definitions. */
    public void begins(Kind kind, String subject, Level level, String message) {
        if (open.add(new Condition(kind, subject))) {
            happened(kind, level, message);
        }
    }

    /** A condition is over; it is logged if its beginning was. */
    public void ends(Kind kind, String subject, String message) {
        if (open.remove(new Condition(kind, subject))) {
            LOG.log(Level.INFO, message);
        }
    }

    /** What a condition of this kind is noticed of at the moment, in the order of the subjects. */
    public List<String> subjects(Kind kind) {
        return open.stream().filter(each -> each.kind() == kind).map(Condition::subject).sorted().toList();
    }

    /** How often each kind has begun, by the name of its counter. */
    public Map<String, Long> counters() {
        Map<String, Long> all = new TreeMap<>();
        for (Kind kind : Kind.values()) {
            all.put(kind.counter(), counts.getOrDefault(kind, 0L));
        }
        return all;
    }
}
