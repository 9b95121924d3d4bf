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
            I input, Payload written) {
        return of(workflow, id, Header.ACTIVITY, activity, key(activity, input,
                InvocationKey.downstream(workflow, id)), written);
    }

    /**
     * The compensation of an operation. Its arguments are not recorded again: they are those of the operation, and what it returned, which are
     * recorded with it. So a compensation is never refused because the two together are too large.
     */
    static <I extends @Nullable Object, O extends @Nullable Object> Invocation compensation(WorkflowKey workflow,
            String compensated, Activity<Undo<I, O>, ?> activity, Undo<I, O> undo) {
        String key = key(activity, undo, InvocationKey.compensation(workflow, compensated));
        return of(Compensator.PATH + compensated,
                Header.compensation(activity.name(), activity.guarantee(), key, compensated), activity, key);
    }

    /** A compensation with arguments of its own. */
    static <I extends @Nullable Object> Invocation rollback(WorkflowKey workflow, String id, Activity<I, ?> activity,
            I input, Payload written) {
        return of(workflow, Compensator.PATH + id, Header.COMPENSATION, activity, key(activity, input,
                InvocationKey.compensation(workflow, id)), written);
    }

    private static <I extends @Nullable Object> Invocation of(WorkflowKey workflow, String id, String kind,
            Activity<I, ?> activity, String key, Payload written) {
        Header.Arguments arguments = Header.Arguments.of(written);
        return of(id, Header.activity(kind, activity.name(), activity.guarantee(),
                InvocationKey.internal(workflow, id, activity.name(), arguments.hashed()), key, arguments), activity,
                key);
    }

    private static Invocation of(String id, Payload header, Activity<?, ?> activity, String key) {
        return new Invocation(id, header, key,
                activity.keyed() ? Effect.declared(new Effect.Key(activity.name(), id, recorded(key))) : null);
    }

    private static <I extends @Nullable Object> String key(Activity<I, ?> activity, I input, String otherwise) {
        Function<I, String> chosen = activity.key();
        return chosen == null ? otherwise : valid(activity.name(), chosen.apply(input));
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
