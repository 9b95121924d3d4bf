package dev.pawl.testkit.scenario;

import dev.pawl.kernel.message.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Messages on their way. Those of one lane stay in order; lanes overtake one another by chance, or not at all. */
final class Lanes {

    private record Lane(String name, Deque<Delivery> deliveries) {
    }

    private final @Nullable RandomGenerator random;
    private final Map<String, Lane> byName = new HashMap<>();
    private final List<Lane> lanes = new ArrayList<>();
    private String last = "";

    Lanes(@Nullable RandomGenerator random) {
        this.random = random;
    }

    boolean isEmpty() {
        return lanes.isEmpty();
    }

    void add(String name, Delivery delivery) {
        lane(random == null ? "all" : name).deliveries().addLast(delivery);
    }

    /** Puts the one that came last back to the head of its lane. */
    void again(Delivery delivery) {
        lane(last).deliveries().addFirst(delivery);
    }

    Delivery next() {
        int index = random == null ? 0 : random.nextInt(lanes.size());
        Lane lane = lanes.get(index);
        last = lane.name();
        Delivery delivery = lane.deliveries().removeFirst();
        if (lane.deliveries().isEmpty()) {
            byName.remove(lane.name());
            lanes.set(index, lanes.getLast());
            lanes.removeLast();
        }
        return delivery;
    }

    private Lane lane(String name) {
        return byName.computeIfAbsent(name, absent -> {
            Lane lane = new Lane(name, new ArrayDeque<>());
            lanes.add(lane);
            return lane;
        });
    }
}
