package dev.pawl.kernel.message;

/**
 * A message at hand, where it lies, and how many entries have been charged to it.
 *
 * <p>An entry is charged before the work it stands for. The first is charged by the commit that created the message; a
 * redelivery after an unclean takeover is charged in a commit of its own, so that a message that kills its engine counts
 * its own kills and no neighbour's.
 */
public record Delivery(Place place, Message message, int marks) {

    /** After this many entries a message is given up and shown to a person. */
    public static final int MARKS_MAX = 99;

    public Delivery {
        if (marks < 1 || marks > MARKS_MAX) {
            throw new IllegalArgumentException("a message is entered 1 to " + MARKS_MAX + " times, not " + marks);
        }
    }

    public static Delivery queued(long number, Message message) {
        return new Delivery(new Place.Queue(number), message, 1);
    }

    public static Delivery inbox(long id, Message message) {
        return new Delivery(new Place.Inbox(id), message, 1);
    }

    /** A message that its activity's own row stands for: a timer that is due, the answer of a task in this process. */
    public static Delivery ofRow(Message message) {
        return new Delivery(new Place.Row(), message, 1);
    }

    /** Where a message lies until it is acknowledged. */
    public sealed interface Place {

        /** In its own workflow's queue, numbered by the workflow. */
        record Queue(long number) implements Place {
        }

        /** Nowhere of its own: it was read off the row of the activity it is for, and ends with that row's waker. */
        record Row() implements Place {
        }

        /** In the inbox of its shard, numbered by the database. */
        record Inbox(long id) implements Place {
        }
    }
}
