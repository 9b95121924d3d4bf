package dev.pawl.lab.torture;

import dev.pawl.engine.store.Store;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The clients of one process: first what the process before it left unserved, then one new scenario after the other. */
final class Clients {

    private static final int CLIENTS = 32;
    private static final int REMINDERS = 20;

    private final Load load;
    private final Deque<Integer> unserved;
    private final Deque<Integer> reminders;
    private final int stride;
    private final AtomicInteger busy = new AtomicInteger(CLIENTS);
    private int next;
    private volatile boolean calm;

    /**
     * Starts at once.
     *
     * @param first the first scenario that is these clients' to play
     * @param stride how far it is to the next one: 1, unless other processes have clients, too
     */
    Clients(Store store, OutsideLog log, OutsideWorld known, Load load, int first, int stride) {
        this.load = load;
        this.stride = stride;
        this.unserved = new ArrayDeque<>(known.begun.stream().filter(each -> !known.served.contains(each)).toList());
        List<Integer> served = List.copyOf(known.served);
        this.reminders = new ArrayDeque<>(served.subList(Math.max(0, served.size() - REMINDERS), served.size()));
        this.next = known.begun.stream().mapToInt(each -> each + stride).max().orElse(first);
        IntStream.range(0, CLIENTS).forEach(i -> {
            Client client = new Client(store, log, known, InstantSource.system(), load.seed() + i);
            Thread.ofPlatform().name("client-" + i).daemon().start(() -> run(client));
        });
    }

    private void run(Client client) {
        try {
            for (Integer number = next(reminders); number != null; number = next(reminders)) {
                client.remind(load.scenario(number));
            }
            for (Integer number = next(); number != null; number = next()) {
                client.play(number, load.scenario(number));
            }
            busy.decrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Integer next(Deque<Integer> from) {
        return from.poll();
    }

    private synchronized @Nullable Integer next() {
        Integer left = unserved.poll();
        if (left != null || calm) {
            return left;
        }
        next += stride;
        return next - stride;
    }

    /** Nothing new from here on: what was begun is brought to its end. */
    void calmDown() {
        calm = true;
    }

    /** Whether everything that was begun is served. */
    boolean done() {
        return busy.get() == 0;
    }
}
