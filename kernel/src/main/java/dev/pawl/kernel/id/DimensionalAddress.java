package dev.pawl.kernel.id;

/**
 * Where an activity runs: the path from the trigger, one index per level, drawn {@code ,0,1,0}.
 *
 * <p>An index other than 0 is a plane of its own: a later entry of the activity at that level. Its ledger stays at the
 * base address, the one that ends in {@code ,0}; its state and its descendants live in the plane.
 */
public record DimensionalAddress(String drawing) implements Comparable<DimensionalAddress> {

    private static final String FIRST_PLANE = ",0";
    private static final int INDEX_DIGITS_MAX = 8;

    public static final DimensionalAddress ROOT = new DimensionalAddress(FIRST_PLANE);

    public DimensionalAddress {
        if (!wellFormed(drawing)) {
            throw new IllegalArgumentException("an address is drawn like ,0,1,0, not '" + drawing + "'");
        }
    }

    public int depth() {
        return (int) drawing.chars().filter(c -> c == ',').count();
    }

    /** The plane this address lies in, at its own level. */
    public int dimension() {
        return Integer.parseInt(drawing, drawing.lastIndexOf(',') + 1, drawing.length(), 10);
    }

    /** One level down, in the first plane: where the children of an activity at this address run. */
    public DimensionalAddress child() {
        return new DimensionalAddress(drawing + FIRST_PLANE);
    }

    /** Down to a depth, in the first plane of each new level: paths of unequal length meet in a join this way. */
    public DimensionalAddress descendTo(int depth) {
        int levels = depth - depth();
        if (levels < 0) {
            throw new IllegalArgumentException(this + " is already deeper than " + depth);
        }
        return new DimensionalAddress(drawing + FIRST_PLANE.repeat(levels));
    }

    /** The same place in another plane of its last level. */
    public DimensionalAddress inDimension(int index) {
        return new DimensionalAddress(drawing.substring(0, drawing.lastIndexOf(',') + 1) + index);
    }

    /**
     * The base address of an ancestor at a depth, seen from here: outer planes stay as they are, the ancestor's own is
     * reset to 0, because that is where its ledger counts.
     */
    public DimensionalAddress ancestor(int depth) {
        return prefix(depth).inDimension(0);
    }

    /** Where this address passes a depth, planes and all: what an activity there left for its descendants here. */
    public DimensionalAddress prefix(int depth) {
        if (depth < 1 || depth > depth()) {
            throw new IllegalArgumentException(this + " has no ancestor at depth " + depth);
        }
        int end = 0;
        for (int level = 1; level <= depth; level++) {
            end = drawing.indexOf(',', end + 1);
        }
        return end < 0 ? this : new DimensionalAddress(drawing.substring(0, end));
    }

    /** By level, as numbers: {@code ,0,2} comes before {@code ,0,10}, a parent before its children. */
    @Override
    public int compareTo(DimensionalAddress other) {
        if (drawing.equals(other.drawing)) {
            return 0;
        }
        int both = Math.min(drawing.length(), other.drawing.length());
        int at = 0;
        while (at < both && drawing.charAt(at) == other.drawing.charAt(at)) {
            at++;
        }
        if (at == both) {
            return Integer.compare(drawing.length(), other.drawing.length());
        }
        // Numbers without leading zeros: the longer one is the larger one.
        int byLength = Integer.compare(indexEnd(drawing, at), indexEnd(other.drawing, at));
        return byLength != 0 ? byLength : Character.compare(drawing.charAt(at), other.drawing.charAt(at));
    }

    private static int indexEnd(String drawing, int from) {
        int comma = drawing.indexOf(',', from);
        return comma < 0 ? drawing.length() : comma;
    }

    /** One or more times a comma and a number of up to eight digits without leading zeros. By hand, because it is hot. */
    private static boolean wellFormed(String drawing) {
        int digits = -1;
        boolean zero = false;
        for (int i = 0; i < drawing.length(); i++) {
            char c = drawing.charAt(i);
            if (c == ',' && digits != 0) {
                digits = 0;
                zero = false;
            } else if (c < '0' || c > '9' || digits < 0 || digits == INDEX_DIGITS_MAX || zero) {
                return false;
            } else {
                zero = digits == 0 && c == '0';
                digits++;
            }
        }
        return digits > 0;
    }

    @Override
    public String toString() {
        return drawing;
    }
}
