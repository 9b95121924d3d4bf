package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.id.Names;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives the operations of one scope their ids: the branch they are in, their name, and how often that came before. The same code comes to
 * the same ids whenever it runs; so only the thread of the scope may ask, and not while it runs something that is not run again.
 *
 * <p>Used by that one thread, and so without a lock.
 */
final class Naming {

    /** What belongs to an operation is called like it, with something before it. */
    private static final int ID_LENGTH_MAX = Names.LENGTH_MAX - 20;

    /** Between a name given to {@link FlowContext#onRollback} and its number. */
    private static final String UNDO = Journal.OWN + "u";

    private final String path;
    private final Thread thread = Thread.currentThread();
    private final Map<String, Integer> occurrences = new HashMap<>();
    /** A function of the user's runs, which is not run again with the rest of the code. */
    private boolean inside;

    /** For the thread it is called on. */
    Naming(String path) {
        this.path = path;
    }

    /** What the ids of all operations of the branch begin with. */
    String path() {
        return path;
    }

    String id(String name) {
        int occurrence = occurrence(name, name);
        return id(occurrence == 1 ? name : name + Journal.OWN + occurrence, path);
    }

    /** Of the wait for a signal: called like it, if that is possible. */
    String signal(String topic) {
        return id(usable(topic) ? topic : "signal");
    }

    /** Of what takes something back. Counted apart from operations: nothing is recorded under it unless it is done. */
    String undo(String name) {
        return id(name + UNDO + occurrence(name, UNDO + name), path);
    }

    /** Of something of the engine's own, which comes in no order. */
    String own(String name) {
        check();
        return Journal.OWN + name + ":" + path + occurrences.merge(Journal.OWN + name, 1, Integer::sum);
    }

    private int occurrence(String name, String counter) {
        check();
        if (!usable(name)) {
            throw new ValidationFailed("an operation's name is 1 to " + Names.LENGTH_MAX
                    + " characters of A-Z a-z 0-9 . _ + @ -, but is '" + name + "'");
        }
        return occurrences.merge(counter, 1, Integer::sum);
    }

    private static boolean usable(String name) {
        return Names.valid(name) && name.indexOf('~') < 0 && name.indexOf(':') < 0;
    }

    private static String id(String name, String path) {
        String id = ValidationFailed.name("an operation's id (the branches it is in, and its name)", path + name);
        if (id.length() > ID_LENGTH_MAX) {
            throw new ValidationFailed("an operation's id (the branches it is in, and its name) has at most "
                    + ID_LENGTH_MAX + " characters, but this one has " + id.length() + ": " + id);
        }
        return id;
    }

    /** The name of a signal that users send. */
    static String topic(String name) {
        if (name.isEmpty() || FlowControl.reserved(name)) {
            throw new ValidationFailed("a signal's name is not empty and does not begin with one of "
                    + FlowControl.RESERVED_TEXT + ", but is '" + name + "'; choose another name");
        }
        return name;
    }

    /** Refuses who has no business here. */
    void check() {
        if (inside) {
            throw new IllegalStateException(
                    "a step does not use the context of its flow: what it does there would not be"
                            + " the same when the flow runs again without the step");
        }
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("this context belongs to another thread; a branch uses the context it is"
                    + " handed, and steps use none");
        }
    }

    /** Runs a function of the user's that is not part of the code of the flow. */
    <T extends @Nullable Object> T inside(StepFunction<T> function) throws Exception {
        inside = true;
        try {
            return function.run();
        } finally {
            inside = false;
        }
    }
}
