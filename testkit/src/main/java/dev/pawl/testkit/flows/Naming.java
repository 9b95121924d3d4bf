package dev.pawl.testkit.flows;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which id an operation gets: the scope it is in, its name, and how often the name came before. What the engine promises, said again. */
final class Naming {

    private final String path;
    private final Map<String, Integer> occurrences = new HashMap<>();
    /** What was done last by the code itself before it came here; null if nothing was. */
    private @Nullable String last;

    Naming(String path, @Nullable String last) {
        this.path = path;
        this.last = last;
    }

    static Naming root() {
        return new Naming("", null);
    }

    String path() {
        return path;
    }

    String id(String name) {
        int occurrence = occurrences.merge(name, 1, Integer::sum);
        return path + (occurrence == 1 ? name : name + "~" + occurrence);
    }

    /** What the engine keeps for itself, counted apart. */
    String own(String name) {
        return "~" + name + ":" + path + occurrences.merge("~" + name, 1, Integer::sum);
    }

    @Nullable String last() {
        return last;
    }

    void done(String id) {
        last = id;
    }

    Naming branch(String fork, int item) {
        return new Naming(fork + "." + item + ":", last);
    }

    Naming shielded(String id) {
        return new Naming(id + ":", last);
    }
}
