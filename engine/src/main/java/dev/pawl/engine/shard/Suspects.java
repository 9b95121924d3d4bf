package dev.pawl.engine.shard;

import dev.pawl.kernel.message.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Messages that may have brought an engine down, or that failed here: each is charged in a commit of its own before it runs,
 * alone, so that it counts its own failures and nobody else's.
 */
final class Suspects {

    private static final Duration BACKOFF = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(30);

    private final Deque<Suspect> suspects = new ArrayDeque<>();

    private record Suspect(Delivery delivery, Instant notBefore) {
    }

    void clear() {
        suspects.clear();
    }

    void found(Delivery delivery) {
        suspects.add(new Suspect(delivery, Instant.EPOCH));
    }

    /** Cut short by the store: it goes on before any other, so that what it has begun is not overtaken. */
    void cutShort(Delivery delivery) {
        suspects.addFirst(new Suspect(delivery, Instant.EPOCH));
    }

    /** Failed here: tried again later, and later each time. */
    void failed(Delivery delivery, Instant now) {
        Duration backoff = BACKOFF.multipliedBy(1L << Math.min(delivery.marks(), 10));
        suspects.add(new Suspect(delivery, now.plus(backoff.compareTo(BACKOFF_MAX) < 0 ? backoff : BACKOFF_MAX)));
    }

    /** The next one whose time has come, taken out. */
    @Nullable Delivery take(Instant now) {
        for (Iterator<Suspect> each = suspects.iterator(); each.hasNext();) {
            Suspect suspect = each.next();
            if (!now.isBefore(suspect.notBefore())) {
                each.remove();
                return suspect.delivery();
            }
        }
        return null;
    }

    /** When the next one's time comes. */
    @Nullable Instant next() {
        return suspects.stream().map(Suspect::notBefore).min(Instant::compareTo).orElse(null);
    }
}
