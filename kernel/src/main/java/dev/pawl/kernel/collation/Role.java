package dev.pawl.kernel.collation;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import java.util.ArrayList;
import java.util.List;

/** What a message is to the activity that takes it. The three steps are the same for all of them. */
sealed interface Role {

    /** Where the activity's ledger is. */
    ActivityKey base();

    /** Where its state and its children are. */
    default ActivityKey plane() {
        return base();
    }

    /** Writes that must be committed before step 1, after which the message comes again; usually none. */
    default List<Write> chunk() {
        return List.of();
    }

    /** The writes of step 1, without its digit. */
    default List<Write> work() {
        return List.of();
    }

    /** Where the workflow goes. Step 3 asks again, and gets the same answer. */
    Next next();

    /** Whether the activity takes no further message after this one. */
    default boolean finalizes() {
        return false;
    }

    /** Whether the activity's own obligation stays open. */
    default boolean staysOpen() {
        return false;
    }

    /** What the compound primitive adds to the ledger of a message that closes the workflow. */
    default long closerWeight() {
        return GuidLedger.CLOSER;
    }

    /** Category D. Its work is the inception, done on entry; a trigger's ledger has no closer digit. */
    record Trigger(Context context, ActivityKey base, Payload input) implements Role {

        @Override
        public Next next() {
            return context.next(base, new Response.Final(input));
        }

        @Override
        public long closerWeight() {
            return 0;
        }
    }

    /** Leg two of category A. The output goes to the plane of this response; the last one ends the obligation. */
    record Answer(Context context, ActivityKey base, ActivityKey plane, Response response) implements Role {

        @Override
        public List<Write> work() {
            ActivityRecord asked = context.overlay().existing(base);
            ActivityRecord here = plane.equals(base) ? asked : ActivityRecord.plane(plane, asked.type(), asked.input());
            return List.of(new Write.PutActivity(context.withOutput(here, response)));
        }

        @Override
        public Next next() {
            return context.next(plane, response);
        }

        @Override
        public boolean finalizes() {
            return response.last();
        }

        @Override
        public boolean staysOpen() {
            return !response.last();
        }
    }

    /** Another round of a cycle: the hook passes once more, in a plane of its own, and stays open for the next. */
    record Round(Context context, ActivityKey base, ActivityKey plane, Payload input) implements Role {

        @Override
        public List<Write> work() {
            ActivityRecord hook = context.overlay().existing(base);
            ActivityRecord here = ActivityRecord.plane(plane, hook.type(), input);
            return List.of(new Write.PutActivity(context.withOutput(here, new Response.Final(input))));
        }

        @Override
        public Next next() {
            return context.next(plane, new Response.Final(input));
        }
    }

    /** An end from outside, taken by the trigger's row, because every workflow has one. */
    record End(ActivityKey base, Ending ending) implements Role {

        @Override
        public Next next() {
            return new Next.Close(ending);
        }
    }

    /** Leg one of category B: what is sent to others goes out in the commit of its digit. */
    record Stepping(Context context, ActivityKey base, Request.Stepping request) implements Role {

        @Override
        public List<Write> chunk() {
            return request instanceof Request.SignalAll all ? new FanOut(context).chunk(all, activity()) : List.of();
        }

        @Override
        public List<Write> work() {
            List<Write> writes = new ArrayList<>(sent());
            ActivityRecord activity = context.withOutput(activity(), response()).waitingForNothing();
            writes.add(new Write.PutActivity(activity.with(stepped(activity.ledger()))));
            return writes;
        }

        /**
         * A hook that cycles return to counts its first pass as its first leg-two entry, so that the first cycle
         * already runs in plane 1.
         */
        private ActivityLedger stepped(ActivityLedger ledger) {
            ActivityLedger complete = ledger.completeLegOne();
            return request.cycleTarget() ? complete.enterLegTwo() : complete;
        }

        private List<Write> sent() {
            return request instanceof Request.SignalAll all
                    ? new FanOut(context).lastChunk(all, activity())
                    : sent(context, request);
        }

        /** What a request sends to one other workflow, or says of its own, if it does. */
        static List<Write> sent(Context context, Request.Stepping request) {
            return switch (request) {
                case Request.SignalOne one -> new FanOut(context).signals(List.of(one.target()), one.topic(),
                        one.payload());
                case Request.InterruptAnother another -> List.of(
                        context.interrupt(another.target(), another.ending()));
                case Request.SetAttribute set -> List.of(new Write.PutAttribute(set.attribute(),
                        context.overlay().started().createdAt()));
                case Request.SignalAll all -> List.of();
                case Request.InterruptSelf self -> List.of();
                case Request.Pass pass -> List.of();
                case Request.Transacted transacted -> List.of();
            };
        }

        @Override
        public Next next() {
            return request instanceof Request.InterruptSelf self
                    ? new Next.Close(self.ending())
                    : context.next(base, response());
        }

        @Override
        public boolean finalizes() {
            return !request.cycleTarget();
        }

        private ActivityRecord activity() {
            return context.overlay().existing(base);
        }

        private Response response() {
            return new Response.Final(activity().input());
        }
    }
}
