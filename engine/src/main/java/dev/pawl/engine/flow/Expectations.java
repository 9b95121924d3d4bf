package dev.pawl.engine.flow;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The types of the signals that one run of the code waits for, by topic: what fits none of them can be refused before it is accepted. */
final class Expectations {

    private final Map<String, List<Type>> types = new ConcurrentHashMap<>();

    void add(String topic, Type type) {
        types.merge(topic, List.of(type), (all, one) -> Stream.concat(all.stream(), one.stream()).toList());
    }

    void remove(String topic, Type type) {
        types.computeIfPresent(topic, (same, all) -> {
            int first = all.indexOf(type);
            List<Type> left = Stream.concat(all.stream().limit(first), all.stream().skip(first + 1L)).toList();
            return left.isEmpty() ? null : left;
        });
    }

    /** Empty if no wait for it is known. */
    List<Type> of(String topic) {
        return types.getOrDefault(topic, List.of());
    }
}
