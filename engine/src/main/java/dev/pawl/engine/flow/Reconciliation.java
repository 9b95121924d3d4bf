package dev.pawl.engine.flow;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Asks the outside world whether an effect has happened, and believes nothing that contradicts what is known already: then nobody knows,
 * and both sides are kept for whoever has to find out.
 */
final class Reconciliation<T extends @Nullable Object> {

    private final Scope scope;
    private final Effect effect;
    private final LocalOperation.@Nullable Reconciling<T> verifier;
    private final boolean results;

    /** One of the two is wrong, and nobody can tell which. */
    static final class Contradiction extends Exception {

        private static final long serialVersionUID = 1L;
        static final String CODE = "VerifierContradiction";

        private final transient Payload error;

        Contradiction(String message, Payload known, Payload told) {
            super(message, null, false, false);
            this.error = Payload.of(Json.object().put("code", CODE).put("message", message)
                    .putJson("recorded", json(known)).put("type", CODE).putJson("verified", json(told)).end()
                    .getBytes(StandardCharsets.UTF_8));
        }

        /** What a codec has encrypted is shown in base64. */
        private static String json(Payload payload) {
            return payload.size() > 0 && Header.canonical(payload) == null
                    ? '"' + Base64.getEncoder().encodeToString(payload.bytes()) + '"'
                    : payload.size() == 0 ? "null" : FlowRuntime.utf8(payload);
        }

        Results.Failure failure() {
            return new Results.Failure(CODE, String.valueOf(getMessage()), CODE);
        }

        /** The same with both sides in it. */
        Payload error() {
            return error;
        }
    }

    /**
     * Has asked nobody yet.
     *
     * @param results whether what the verifier says to have come of it is the result of the effect, and can be compared
     */
    Reconciliation(Scope scope, Effect effect, LocalOperation.@Nullable Reconciling<T> verifier, boolean results) {
        this.scope = scope;
        this.effect = effect;
        this.verifier = verifier;
        this.results = results;
    }

    /**
     * What the outside world says.
     *
     * @param recorded what is stored of the effect; null if nothing is, or nobody had a reason to look
     */
    Verified<T> look(@Nullable Effect recorded) throws Contradiction {
        Verified<T> verified = ask();
        Payload told = results && verified instanceof Verified.Completed<T> completed ? encoded(completed.result())
                : null;
        compare(verified, told, scope.runtime().answers().get(scope.incarnation().workflow(), effect.key()),
                "it was said to have happened before");
        if (recorded != null && recorded.status() == EffectStatus.COMPLETED) {
            compare(verified, told, recorded.result() == null ? Payload.EMPTY : recorded.result(),
                    "it is recorded as completed");
        }
        if (told != null) {
            scope.runtime().answers().put(scope.incarnation().workflow(), effect.key(), told);
        }
        return verified;
    }

    Verified<T> ask() {
        if (verifier == null) {
            return new Verified.Indeterminate<>("it has a key, but nobody says how to look it up");
        }
        try {
            Verified<T> verified = verifier.verify();
            return verified == null ? new Verified.Indeterminate<>("the verifier answered nothing") : verified;
        } catch (Exception e) {
            scope.checkAlive();
            return new Verified.Indeterminate<>("the verifier failed: " + e);
        }
    }

    /** What cannot be written down is told by the one who has to write it. */
    private @Nullable Payload encoded(T result) {
        try {
            return scope.codec().encode(result);
        } catch (PayloadError e) {
            return null;
        }
    }

    private void compare(Verified<?> verified, @Nullable Payload told, @Nullable Payload known, String why)
            throws Contradiction {
        if (known == null) {
            return;
        }
        if (verified instanceof Verified.NotCompleted) {
            throw new Contradiction(why + ", but the verifier says that it has not happened", known, Payload.EMPTY);
        }
        if (told != null && known.size() > 0 && !scope.codec().same(told, known)) {
            throw new Contradiction(why + ", but the verifier says that it came to something else", known, told);
        }
    }
}
