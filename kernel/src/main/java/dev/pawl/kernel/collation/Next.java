package dev.pawl.kernel.collation;

import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a workflow goes after an activity has done its work. */
public sealed interface Next {

    /** On to these children; none means that this branch ends here. */
    record Spawn(List<Child> children) implements Next {

        public Spawn {
            children = List.copyOf(children);
        }
    }

    /** To the end of the whole workflow, whatever else is open. */
    record Close(Ending ending) implements Next {
    }

    /** Nowhere by itself: the code of a flow has waited for it, and goes on. */
    record Tell(ActivityKey flow) implements Next {
    }

    /**
     * A child to spawn. With a join it is only an arrival, until the last one spawns it.
     *
     * @param asked what its leg one asks for, if that is known already: then leg one is done with the spawn, and no message has to
     *        enter the child
     */
    record Child(String activity, ActivityType type, Payload input, @Nullable Join join,
            Request.@Nullable Waiting asked) {

        public Child(String activity, ActivityType type, Payload input, @Nullable Join join) {
            this(activity, type, input, join, null);
        }

        public static Child asking(String activity, Payload input, Request.Waiting asked) {
            return new Child(activity, asked.type(), input, null, asked);
        }
    }

    /**
     * Where branches meet: all of them.
     *
     * @param arrivals how many branches come in
     * @param forkDepth the level of the activity they all come from; planes opened below it belong to one branch alone
     * @param depth the level of the joining activity, so that branches of unequal length find the same address
     */
    record Join(int arrivals, int forkDepth, int depth) {
    }
}
