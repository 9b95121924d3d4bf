package dev.pawl.kernel.id;

import java.util.Comparator;

/** One activity inside a workflow: a name in the definition, and the address it runs at. */
public record ActivityKey(String activity, DimensionalAddress address) implements Comparable<ActivityKey> {

    private static final Comparator<ActivityKey> ORDER = Comparator.comparing(ActivityKey::address)
            .thenComparing(ActivityKey::activity);

    public ActivityKey {
        Names.require("activity", activity);
    }

    /** The trigger: the root of every workflow. */
    public static ActivityKey trigger(String activity) {
        return new ActivityKey(activity, DimensionalAddress.ROOT);
    }

    /** The same activity in another plane of its last dimension. */
    public ActivityKey inDimension(int index) {
        return new ActivityKey(activity, address.inDimension(index));
    }

    @Override
    public int compareTo(ActivityKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return activity + "@" + address;
    }
}
