package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    /** What declares the first attempt, if it runs without having been declared. */
    private Advance.@Nullable Begin declaration;

    Recording(Scope scope, String id, Payload header, Type type, @Nullable Effect effect, boolean completes) {
        this.scope = scope;
        this.id = id;
        this.key = FlowBehaviour.operation(id);
        this.header = header;
        this.type = type;
        this.effect = effect;
        this.completes = completes;
    }

    /** What is known of the effect when it has come to this; null if there is no effect to know of. */
    @Nullable Effect after(EffectStatus status, @Nullable Payload error) {
        return effect == null ? null : effect.after(status, error);
    }

    /** Whether there is an effect to know of. */
    boolean keyed() {
        return effect != null;
    }

    /** What is known of the effect when the attempt has returned; null if there is no effect, or it was only handed over. */
    @Nullable Effect completed(Payload output) {
        return effect == null || !completes ? null : effect.completed(output);
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
        String runner = scope.runtime().runners().next();
        return number == 1 ? new Advance.Begin(key, header, new Request.Local(runner), effect)
                : new Advance.Retry(key, number, runner, known);
    }

    /** What declares the first attempt, which runs without that: to be handed in later, or never. */
    Advance.Begin undeclared() {
        return undeclared((Advance.Begin) declaring(1, null));
    }

    Advance.Begin undeclared(Advance.Begin newDeclaration) {
        declaration = newDeclaration;
        return newDeclaration;
    }

    /** The declaration of an attempt that runs, or ran, without; empty if it is declared. */
    List<Advance.Change> lateDeclaration() {
        return declaration == null || declared() ? List.of() : List.of(declaration);
    }

    private boolean declared() {
        return scope.incarnation().progress().begun(id);
    }

    /** The end of an attempt; the whole operation in one entry if it was not declared. */
    private Advance.Change end(int number, Response response, @Nullable Effect known) {
        return declared() ? new Advance.Finish(key, number, response, known)
                : new Advance.Ran(key, header, response);
    }

    /**
     * It is not tried again, because the flow is cancelled. Recorded in any case: a later run of the code would wait for the outcome of an attempt
     * that has ended. Only an effect that is proved not to have happened is cancelled by that; of any other no more is known than before.
     */
    void cancelled(@Nullable Effect known) {
        EffectStatus status = known == null ? EffectStatus.INDETERMINATE : known.status();
        List<Advance.Change> changes = new ArrayList<>(lateDeclaration());
        changes.add(new Advance.Drop(key, false, after(
                status == EffectStatus.FAILED ? EffectStatus.CANCELLED : status,
                known == null ? null : known.error())));
        scope.hold(changes.toArray(Advance.Change[]::new));
    }

    /** It has happened, and returned this; if that cannot be encoded, it is lost, although the effect is known. */
    T finished(int number, T value) {
        try {
            return returned(number, scope.codec().encode(value, type));
        } catch (PayloadError e) {
            throw failed(number, Results.Failure.of(e), EffectStatus.COMPLETED);
        }
    }

    /** It has happened, and returned this. The code sees it as a replay will see it. */
    T returned(int number, Payload output) {
        ends(number, output);
        return scope.decode(id, output, type);
    }

    /** It has happened, and returned this. */
    void ends(int number, Payload output) {
        scope.hold(end(number, new Response.Final(output), completed(output)));
    }

    /** It has happened and its effect is recorded: only the operation has not ended yet. */
    T caughtUp(int number, Payload result) {
        scope.hold(new Advance.Finish(key, number, new Response.Final(result), null));
        return scope.decode(id, result, type);
    }

    /** It has failed, and that is what is known of its effect. */
    OperationFailed failed(int number, Results.Failure failure, EffectStatus status) {
        return failed(number, failure, after(status, failure.payload()));
    }

    OperationFailed failed(int number, Results.Failure failure, @Nullable Effect known) {
        scope.hold(end(number, new Response.Failure(failure.payload()), known));
        return new OperationFailed(failure.code(), id, failure.type(), failure.message());
    }
}
