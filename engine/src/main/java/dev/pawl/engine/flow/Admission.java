package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.engine.limit.Pools;
import dev.pawl.engine.limit.SlotWait;
import dev.pawl.kernel.id.WorkflowKey;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets an attempt in when there is room for it in all its pools. Before it is declared: so nothing of it has happened while it waits,
 * and a crash in the meantime leaves nothing behind but slots that run out.
 */
final class Admission {

    private final Scope scope;
    private final String operation;
    private final List<Limit> limits;
    private final Supplier<@Nullable String> fairKey;

    Admission(Scope scope, String operation, List<Limit> limits, Supplier<@Nullable String> fairKey) {
        this.scope = scope;
        this.operation = operation;
        this.limits = limits;
        this.fairKey = fairKey;
    }

    /**
     * Waits for the slots of one attempt, which are to be ended with it.
     *
     * @param optional whether the attempt need not be if the flow is to end; not so if the one before it may have happened
     */
    SlotWait enter(int attempt, boolean optional) {
        scope.checkWritable();
        String key = fairKey.get();
        if (key == null) {
            throw new ValidationFailed(
                    operation + " has a null for a fair key; give those that have none the same text");
        }
        WorkflowKey workflow = scope.incarnation().key();
        Pools pools = scope.runtime().engine().pools();
        SlotWait slots = pools.join(workflow.namespace(), limits.stream().map(each -> each.slots(pools.ttl())).toList(),
                workflow.workflowId() + "/" + operation + "/" + attempt, key);
        boolean entered = false;
        try {
            scope.await(slots.turn(), optional);
            entered = true;
            return slots;
        } finally {
            if (!entered) {
                slots.end();
            }
        }
    }
}
