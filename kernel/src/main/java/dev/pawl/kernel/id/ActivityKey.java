package dev.pawl.kernel.id;

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
