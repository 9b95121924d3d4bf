package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what becomes of an operation that the flow's own thread runs; if it has a key, together with what is known of its effect
 * then.
 */
final class Recording<T extends @Nullable Object> {

    private final Scope scope;
    private final String id;
    private final ActivityKey key;
    private final Payload header;
    private final Type type;
    private final @Nullable Effect effect;
    /** Whether the effect has happened when the attempt returns; if not, it was only handed to somebody else. */
    private final boolean completes;

    Recording(Scope scope, String id, Payload header, Type type, @Nullable Effect effect, boolean completes) {
        this.scope = scope;
        this.id = id;
        this.key = Advance.operation(FlowBehaviour.FLOW, id);
        this.header = header;
        this.type = type;
        this.effect = effect;
        this.completes = completes;
    }

    /** What is known of the effect when it has come to this; null if there is no effect to know of. */
    @Nullable Effect after(EffectStatus status, @Nullable Payload error) {
        return effect == null ? null : effect.after(status, error);
    }

    /** What is known when it is tried again: what went wrong before is not forgotten. */
    @Nullable Effect retried(@Nullable Effect recorded) {
        return after(EffectStatus.INDETERMINATE, recorded == null ? null : recorded.error());
    }

    /** What is stored of the effect: for who comes after a crash. */
    @Nullable Effect stored() {
        return effect == null ? null : scope.stored(effect.key());
    }

    /** Whoever is to ask the outside world about it; there must be an effect to ask about. */
    Reconciliation<T> reconciliation(LocalOperation.@Nullable Reconciling<T> verifier) {
        return new Reconciliation<>(scope, Objects.requireNonNull(effect), verifier, completes);
    }

    /** What declares an attempt, with what is known of the effect as long as there is no word of it. */
    Advance.Change declaring(int number, @Nullable Effect known) {
        return number == 1 ? new Advance.Begin(key, header, new Request.Local(), effect)
                : new Advance.Retry(key, number, known);
    }

    /** It is not tried again, because the flow is to end. */
    void cancelled(@Nullable Effect known) {
        if (effect != null) {
            scope.hold(new Advance.Drop(key, false,
                    after(EffectStatus.CANCELLED, known == null ? null : known.error())));
        }
    }

    /** It has happened, and came to this. */
    T finished(int number, T value) {
        Payload output;
        try {
            output = scope.codec().encode(value);
        } catch (PayloadError e) {
            // It has happened, and nobody will ever know what it came to.
            throw failed(number, Results.Failure.of(e), EffectStatus.COMPLETED);
        }
        scope.hold(new Advance.Finish(key, number, new Response.Final(output),
                effect == null || !completes ? null : effect.completed(output)));
        return plain(value) ? value : scope.decode(output, type);
    }

    /** What would be the same after a way through JSON, or would not notice. Everything else is seen as a replay will see it. */
    private static boolean plain(@Nullable Object value) {
        return value == null || value instanceof String || value instanceof Number || value instanceof Boolean
                || value instanceof Enum || value instanceof Instant || value instanceof Duration
                || value instanceof UUID;
    }

    /** It has happened and its effect is recorded: only the operation has not ended yet. */
    T caughtUp(int number, Payload result) {
        scope.hold(new Advance.Finish(key, number, new Response.Final(result), null));
        return scope.decode(result, type);
    }

    /** It has failed, and that is what is known of its effect. */
    OperationFailed failed(int number, Results.Failure failure, EffectStatus status) {
        return failed(number, failure, after(status, failure.payload()));
    }

    OperationFailed failed(int number, Results.Failure failure, @Nullable Effect known) {
        scope.hold(new Advance.Finish(key, number, new Response.Failure(failure.payload()), known));
        return new OperationFailed(failure.code(), id, failure.type(), failure.message());
    }
}
