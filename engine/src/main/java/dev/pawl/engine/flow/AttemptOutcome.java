package dev.pawl.engine.flow;

import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.EffectStatus;
import java.util.Arrays;

/**
 * How one attempt of an operation has ended, in a form that another process can go on with: the shard may have got another owner while the
 * attempt ran.
 */
sealed interface AttemptOutcome {

    /** It has returned. */
    record Returned(Payload output) implements AttemptOutcome {
    }

    /**
     * It has thrown.
     *
     * @param status what is known of its effect, before the outside world is asked
     * @param retryable whether its policy lets it be tried again
     */
    record Threw(Results.Failure failure, EffectStatus status, boolean retryable) implements AttemptOutcome {
    }

    /** It has happened, but what it returned cannot be encoded. */
    record Unrecordable(Results.Failure failure) implements AttemptOutcome {
    }

    /** It was declared and never begun: nothing has happened. */
    record NotBegun() implements AttemptOutcome {
    }

    /** Its process lives, but cannot say how it ended. */
    record Lost() implements AttemptOutcome {
    }

    /** The first byte says which; then what belongs to it. */
    default Payload payload() {
        return switch (this) {
            case Returned returned -> bytes(returned.output(), 'r');
            case Threw threw -> bytes(threw.failure().payload(), 't', letter(threw.status()),
                    threw.retryable() ? 'y' : 'n');
            case Unrecordable unrecordable -> bytes(unrecordable.failure().payload(), 'u');
            case NotBegun not -> bytes(Payload.EMPTY, 'n');
            case Lost lost -> bytes(Payload.EMPTY, 'l');
        };
    }

    static AttemptOutcome of(Payload payload) {
        byte[] bytes = payload.bytes();
        return switch ((char) bytes[0]) {
            case 'r' -> new Returned(rest(bytes, 1));
            case 't' -> new Threw(Results.failure(rest(bytes, 3)), status((char) bytes[1]), bytes[2] == 'y');
            case 'u' -> new Unrecordable(Results.failure(rest(bytes, 1)));
            case 'n' -> new NotBegun();
            default -> new Lost();
        };
    }

    private static char letter(EffectStatus status) {
        return switch (status) {
            case COMPLETED -> 'c';
            case FAILED -> 'f';
            case CANCELLED -> 'x';
            case TIMED_OUT -> 't';
            case INDETERMINATE -> 'i';
        };
    }

    private static EffectStatus status(char letter) {
        return switch (letter) {
            case 'c' -> EffectStatus.COMPLETED;
            case 'f' -> EffectStatus.FAILED;
            case 'x' -> EffectStatus.CANCELLED;
            case 't' -> EffectStatus.TIMED_OUT;
            default -> EffectStatus.INDETERMINATE;
        };
    }

    private static Payload bytes(Payload rest, char... head) {
        byte[] all = new byte[head.length + rest.size()];
        for (int i = 0; i < head.length; i++) {
            all[i] = (byte) head[i];
        }
        System.arraycopy(rest.bytes(), 0, all, head.length, rest.size());
        return Payload.of(all);
    }

    private static Payload rest(byte[] bytes, int from) {
        return Payload.of(Arrays.copyOfRange(bytes, from, bytes.length));
    }
}
