package dev.pawl.kernel.id;

import org.jspecify.annotations.Nullable;

/** One activity inside a workflow: a name in the definition, and the address it runs at. */
public record ActivityKey(String activity, DimensionalAddress address) implements Comparable<ActivityKey> {

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

    /** By hand, because it is hot, and what the compiler makes of it is slow until it is compiled. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ActivityKey that && activity.equals(that.activity)
                && address.drawing().equals(that.address.drawing());
    }

    @Override
    public int hashCode() {
        return 31 * activity.hashCode() + address.drawing().hashCode();
    }

    @Override
    public int compareTo(ActivityKey other) {
        int byAddress = address.compareTo(other.address);
        return byAddress != 0 ? byAddress : activity.compareTo(other.activity);
    }

    @Override
    public String toString() {
        return activity + "@" + address;
    }
}
