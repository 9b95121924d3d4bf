package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.id.InvocationKey;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One activity that a flow asks for: by what it is recognised when the code runs again, and by what the outside world knows it.
 *
 * @param id which operation of the workflow
 * @param key the same in every attempt
 * @param effect as it is declared; null if nobody has given it a key, and nothing is promised that needs one
 */
record Invocation(String id, Payload header, String key, @Nullable Effect effect) {

    static <I extends @Nullable Object> Invocation of(WorkflowKey workflow, String id, Activity<I, ?> activity,
            I input, Codec codec) {
        String arguments = Header.canonical(codec.encode(input));
        Function<I, String> chosen = activity.key();
        String key = chosen == null ? InvocationKey.downstream(workflow, id) : valid(activity.name(),
                chosen.apply(input));
        Payload header = Header.activity(activity.name(), activity.guarantee(),
                InvocationKey.internal(workflow, id, activity.name(), arguments), key, arguments);
        return new Invocation(id, header, key,
                activity.keyed() ? Effect.declared(new Effect.Key(activity.name(), id, recorded(key))) : null);
    }

    private static String valid(String activity, @Nullable String key) {
        if (key == null || !Effect.Key.valid(key)) {
            throw new ValidationFailed("the key of " + activity + " must be text of 1 to " + Effect.Key.BYTES_MAX
                    + " bytes in UTF-8, without halves of characters; let key(…) return such a text, or leave it out");
        }
        return key;
    }

    /** A key of our own may be longer than that: each of its parts may have 200 characters, each of them escaped. */
    private static String recorded(String key) {
        return Effect.Key.valid(key) ? key : InvocationKey.digest(key);
    }
}
