package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Issues the tokens of one operation, a new one for each attempt to hand it over. The hash is durable with the declaration of the attempt, so
 * no worker can hold a token that the store does not know.
 *
 * <p>For the thread of the operation's strand; the attempt's own thread reads what was issued before it began.
 */
final class CompletionTokens {

    private final Scope scope;
    private final String operationId;
    private volatile @Nullable CompletionToken issued;

    CompletionTokens(Scope scope, String operationId) {
        this.scope = scope;
        this.operationId = operationId;
    }

    /** Issues a token; the change records its hash and belongs in the commit that declares the attempt. */
    Advance.Change issue(int handOver) {
        WorkflowKey workflow = scope.incarnation().key();
        CompletionToken token = CompletionToken.of(workflow.namespace(), workflow.workflowId(), operationId, handOver,
                scope.runtime().secret());
        issued = token;
        return new Advance.Do(FlowBehaviour.operation(Journal.token(handOver, operationId)),
                Header.of("token"), stored(token.hash()), new Request.Pass(false), null);
    }

    /** The token that was issued last; null if none was. */
    @Nullable String current() {
        CompletionToken token = issued;
        return token == null ? null : token.text();
    }

    /** A hash as its row keeps it: JSON, as every output. */
    static Payload stored(Hash hash) {
        return Payload.of(('"' + hash.hex() + '"').getBytes(StandardCharsets.UTF_8));
    }
}
