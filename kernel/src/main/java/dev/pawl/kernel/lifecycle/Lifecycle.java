package dev.pawl.kernel.lifecycle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A life as a table: in this state, on this event, to that state. What is not in the table cannot happen.
 *
 * @param <S> the states; the first constant is where life begins
 * @param <E> the events
 */
public final class Lifecycle<S extends Enum<S>, E extends Enum<E>> {

    private final Class<S> states;
    private final Map<S, Map<E, S>> table;
    private final List<Row<S, E>> rows = new ArrayList<>();

    /** One line of the table. */
    public record Row<S, E>(S from, E on, S to) {
    }

    Lifecycle(Class<S> states) {
        this.states = states;
        this.table = new EnumMap<>(states);
    }

    Lifecycle<S, E> row(S from, E on, S to) {
        Map<E, S> exits = table.computeIfAbsent(from, state -> new EnumMap<>(on.getDeclaringClass()));
        if (exits.putIfAbsent(on, to) != null) {
            throw new IllegalStateException(from + " on " + on + " stands twice in the table");
        }
        rows.add(new Row<>(from, on, to));
        return this;
    }

    public List<Row<S, E>> rows() {
        return List.copyOf(rows);
    }

    public boolean allows(S from, E on) {
        return exit(from, on) != null;
    }

    /** The state after the event; what the table does not hold is refused. */
    public S after(S from, E on) {
        S to = exit(from, on);
        if (to == null) {
            throw new IllegalTransition(from + " does not allow " + on);
        }
        return to;
    }

    public boolean terminal(S state) {
        return !table.containsKey(state);
    }

    private @Nullable S exit(S from, E on) {
        Map<E, S> exits = table.get(from);
        return exits == null ? null : exits.get(on);
    }

    /** The picture, generated from the same rows the engine obeys. */
    public String mermaid() {
        StringBuilder picture = new StringBuilder("stateDiagram-v2\n");
        picture.append("    [*] --> ").append(label(states.getEnumConstants()[0])).append('\n');
        for (Row<S, E> row : rows) {
            picture.append("    %s --> %s: %s\n".formatted(label(row.from()), label(row.to()), words(row.on())));
        }
        for (S state : states.getEnumConstants()) {
            if (terminal(state)) {
                picture.append("    ").append(label(state)).append(" --> [*]\n");
            }
        }
        return picture.toString();
    }

    /** {@code AWAIT_PERSON} becomes {@code await person}. */
    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@code WAITING_FOR_PERSON} becomes {@code WaitingForPerson}. */
    private static String label(Enum<?> constant) {
        StringBuilder label = new StringBuilder();
        for (String word : constant.name().split("_", -1)) {
            label.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return label.toString();
    }
}
