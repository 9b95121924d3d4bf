package dev.pawl.kernel.workflow;

import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.Names;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one effect on the outside world: of an operation with a key, by which the outside world knows it, too.
 *
 * @param result what it came to, if it has happened and that is known
 * @param error what went wrong last; null if nothing did
 */
public record Effect(Key key, EffectStatus status, @Nullable Payload result, @Nullable Payload error) {

    /**
     * Which effect of its workflow.
     *
     * @param activityName as it is registered
     * @param operationId which operation of the workflow
     * @param idempotencyKey any text; case, spaces and Unicode forms count
     */
    public record Key(String activityName, String operationId, String idempotencyKey) implements Comparable<Key> {

        /** Fits the index of every database, even if every character has to be escaped. */
        public static final int BYTES_MAX = 512;

        public Key {
            Names.require("an activity's name", activityName);
            Names.require("an operation's id", operationId);
            if (!valid(idempotencyKey)) {
                throw new IllegalArgumentException("an idempotency key is well-formed text of 1 to " + BYTES_MAX
                        + " bytes in UTF-8; this one is not");
            }
        }

        /** Not empty, not too long, and without halves of characters: two of those could not be told apart. */
        public static boolean valid(String idempotencyKey) {
            int bytes = idempotencyKey.getBytes(StandardCharsets.UTF_8).length;
            return bytes > 0 && bytes <= BYTES_MAX && idempotencyKey.codePoints()
                    .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        }

        /** One text for all of it: no other effect of any workflow has the same. */
        public String text(WorkflowKey workflow) {
            return InvocationKey.joined("effect", workflow.namespace(), workflow.workflowId(), activityName,
                    operationId, idempotencyKey);
        }

        @Override
        public int compareTo(Key other) {
            int byOperation = operationId.compareTo(other.operationId);
            int byActivity = byOperation != 0 ? byOperation : activityName.compareTo(other.activityName);
            return byActivity != 0 ? byActivity : idempotencyKey.compareTo(other.idempotencyKey);
        }
    }

    public Effect {
        if (result != null && status != EffectStatus.COMPLETED) {
            throw new IllegalArgumentException("an effect that is " + status.text() + " has no result");
        }
    }

    /** Declared before it is done: from now on it may have happened. */
    public static Effect declared(Key key) {
        return new Effect(key, EffectStatus.INDETERMINATE, null, null);
    }

    public Effect completed(Payload known) {
        return new Effect(key, EffectStatus.COMPLETED, known, null);
    }

    /** As it stands after something went wrong, or before it is tried again after that. */
    public Effect after(EffectStatus as, @Nullable Payload wrong) {
        return new Effect(key, as, null, wrong);
    }
}
