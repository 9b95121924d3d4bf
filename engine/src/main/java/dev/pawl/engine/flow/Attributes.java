package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Attributes and memos as users give them: what cannot be taken is refused, with a sentence that says why. */
public final class Attributes {

    /** How many names of each kind one workflow uses in its life. */
    public static final int COUNT_MAX = 64;

    private Attributes() {
    }

    public static Attribute text(String name, String value) {
        return checked(name, false, () -> new Attribute.Text(name, value));
    }

    public static Attribute whole(String name, long value) {
        return checked(name, false, () -> new Attribute.Whole(name, value));
    }

    public static Attribute flag(String name, boolean value) {
        return checked(name, false, () -> new Attribute.Flag(name, value));
    }

    public static Attribute time(String name, Instant value) {
        return checked(name, false, () -> new Attribute.Time(name, value));
    }

    public static Attribute memo(String name, Payload value) {
        return checked(name, true, () -> new Attribute.Memo(name, value));
    }

    public static Attribute removed(String name, boolean memo) {
        return checked(name, memo, () -> new Attribute.Removed(new Attribute.Key(memo, name)));
    }

    /** Returns the name, or says what is wrong with it. */
    public static String name(String name) {
        return removed(name, false).key().name();
    }

    private static Attribute checked(String name, boolean memo, Supplier<Attribute> attribute) {
        try {
            new Attribute.Key(memo, name);
            return attribute.get();
        } catch (IllegalArgumentException e) {
            throw new ValidationFailed(String.valueOf(e.getMessage()));
        } catch (ArithmeticException e) {
            throw new ValidationFailed("the time of the attribute " + name + " is too far from 1970 to be kept");
        }
    }

    /** The last value under each name, or a sentence that says that there are too many. */
    public static List<Attribute> last(Collection<Attribute> attributes) {
        Map<Attribute.Key, Attribute> last = new LinkedHashMap<>();
        attributes.forEach(each -> last.put(each.key(), each));
        checkCount(last.keySet());
        return new ArrayList<>(last.values());
    }

    static void checkCount(Collection<Attribute.Key> keys) {
        long memos = keys.stream().filter(Attribute.Key::memo).count();
        if (memos > COUNT_MAX || keys.size() - memos > COUNT_MAX) {
            throw new ValidationFailed("a workflow uses at most " + COUNT_MAX + " names of attributes and as many of"
                    + " memos; put several values in one memo");
        }
    }
}
