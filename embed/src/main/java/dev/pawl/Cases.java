package dev.pawl;

import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.OpenQuestion;
import dev.pawl.engine.store.GivenUp;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.Waker;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds what has to be decided, one source after the other. A case that was decided and not acted on yet is not listed any more. */
final class Cases {

    private static final Set<DecisionKind> RETRY_OR_ABORT = EnumSet.of(DecisionKind.RETRY, DecisionKind.ABORT);
    private static final Set<DecisionKind> HAPPENED_OR_NOT = EnumSet.of(DecisionKind.ACCEPT, DecisionKind.NOT_DONE);
    private static final String CURSOR = " ";
    private static final String REPLAY = "ReplayVerification";

    private final Store store;
    private final String namespace;

    /** Where cases come from, in the order they are listed: first what somebody waits for. */
    private enum Source {
        OPERATIONS, PARKED, MESSAGES, EFFECTS;

        @Nullable Source next() {
            return switch (this) {
                case OPERATIONS -> PARKED;
                case PARKED -> MESSAGES;
                case MESSAGES -> EFFECTS;
                case EFFECTS -> null;
            };
        }
    }

    Cases(Store store, String namespace) {
        this.store = store;
        this.namespace = namespace;
    }

    Page<Case> list(@Nullable String after, int limit) {
        String[] place = after == null ? new String[] {Source.OPERATIONS.name(), ""} : after.split(CURSOR, 2);
        Source source = source(place[0]);
        String cursor = place.length < 2 || place[1].isEmpty() ? null : place[1];
        List<Case> found = new ArrayList<>();
        while (true) {
            Page<Case> page = page(source, cursor, limit - found.size());
            found.addAll(page.items());
            cursor = page.next();
            Source next = cursor == null ? source.next() : source;
            if (next == null) {
                return new Page<>(found, null);
            }
            source = next;
            if (found.size() >= limit) {
                return new Page<>(found, source.name() + CURSOR + (cursor == null ? "" : cursor));
            }
        }
    }

    private static Source source(String name) {
        try {
            return Source.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw noPlace();
        }
    }

    private static WorkflowError noPlace() {
        return WorkflowError
                .validation("this is not a place in the list of cases; begin from the start, or with a next");
    }

    private Page<Case> page(Source source, @Nullable String cursor, int limit) {
        try {
            return cases(source, cursor, limit);
        } catch (IllegalArgumentException e) {
            throw cursor == null ? e : noPlace();
        }
    }

    private Page<Case> cases(Source source, @Nullable String cursor, int limit) {
        return switch (source) {
            case OPERATIONS -> of(store.awaiting(namespace, FlowControl.DECIDE_TOPIC, cursor, limit),
                    each -> operation(store.load(each.workflow()), each.activity().activity()));
            case PARKED ->
                of(store.parked(namespace, cursor, limit), each -> parked(store.load(each.key())));
            case MESSAGES -> of(store.givenUp(namespace, cursor, limit), this::message);
            case EFFECTS -> of(store.unknownEffects(namespace, cursor, limit), this::effect);
        };
    }

    private <T> Page<Case> of(Page<T> page, Function<T, Optional<Case>> making) {
        return new Page<>(page.items().stream().map(making).flatMap(Optional::stream).filter(this::open).toList(),
                page.next());
    }

    private boolean open(Case found) {
        return store.decisions(new WorkflowKey(namespace, found.workflowId())).stream()
                .noneMatch(decision -> decision.caseId().equals(found.id()));
    }

    /** The case as it stands now, whether it was decided or not; none if there is nothing to decide. */
    Optional<Case> find(CaseId id) {
        Snapshot snapshot = store.load(new WorkflowKey(namespace, id.workflowId()));
        return switch (id.kind()) {
            case OPERATION -> operation(snapshot, id.detail());
            case PARKED -> parked(snapshot).filter(found -> found.id().equals(id.text()));
            case MESSAGE -> Optional.ofNullable(givenUp(id)).flatMap(this::message);
            case EFFECT -> effect(snapshot, id.detail());
            case SIGNAL -> Optional.empty();
        };
    }

    private Optional<Case> operation(Snapshot snapshot, String wait) {
        WorkflowRecord workflow = snapshot.workflow();
        ActivityRecord hook = snapshot.activity(FlowControl.operation(wait));
        if (workflow == null || workflow.gate().closed() || hook == null || !(hook.waker() instanceof Waker.Hook)) {
            return Optional.empty();
        }
        OpenQuestion question = OpenQuestion.of(hook);
        ActivityRecord operation = Objects.requireNonNull(snapshot.activity(
                FlowControl.operation(question.operation())), question.operation());
        FlowControl.Declared declared = FlowControl.declared(operation);
        int attempts = operation.waker() instanceof Waker.Local local ? local.attempt() : question.attempt();
        Evidence evidence = new Evidence(question.operation(), declared.activity(), declared.guarantee(),
                declared.key(), attempts, question.code(), question.message(), question.since(), workflow.version());
        String id = new CaseId(CaseId.Kind.OPERATION, workflow.key().workflowId(), wait).text();
        String of = workflow.key().workflowId();
        if (question.code().startsWith(REPLAY)) {
            return Optional.of(new Case.UnconfirmedOperation(id, of, evidence, question.allowed()));
        }
        return Optional.of(question.code().equals(FlowControl.LOST)
                ? new Case.LostOperation(id, of, evidence, question.allowed())
                : new Case.IndeterminateOperation(id, of, evidence, question.allowed()));
    }

    /** One that waits for an answer is parked, too, but there is another case for that. */
    private Optional<Case> parked(Snapshot snapshot) {
        WorkflowRecord workflow = snapshot.workflow();
        String reason = workflow == null ? null : workflow.reason();
        String code = reason == null ? null : FlowControl.heldBy(reason);
        if (workflow == null || reason == null || code == null || workflow.status() != WorkflowStatus.PARKED) {
            return Optional.empty();
        }
        long retries = FlowControl.operations(snapshot).stream()
                .filter(operation -> operation.key().activity().startsWith(FlowControl.RETRIED)).count();
        String of = workflow.key().workflowId();
        String id = new CaseId(CaseId.Kind.PARKED, of, String.valueOf(retries + 1)).text();
        Evidence evidence = new Evidence(null, null, null, null, (int) retries + 1, code,
                FlowControl.heldBecause(reason), null, workflow.version());
        return Optional.of(switch (code) {
            case Collation.DEFINITION_MISSING ->
                new Case.MissingDefinition(id, of, evidence, EnumSet.of(DecisionKind.ABORT));
            case FlowControl.CHILD_NOT_REGISTERED -> new Case.MissingDefinition(id, of, evidence, RETRY_OR_ABORT);
            default -> new Case.ParkedWorkflow(id, of, evidence, RETRY_OR_ABORT);
        });
    }

    private Optional<Case> message(GivenUp message) {
        String of = message.delivery().message().workflow().workflowId();
        WorkflowRecord workflow = store.workflow(message.delivery().message().workflow());
        return Optional.of(new Case.GivenUpMessage(
                new CaseId(CaseId.Kind.MESSAGE, of, String.valueOf(message.id())).text(), of,
                new Evidence(Occasion.kind(message.delivery().message()), null, null, null, message.delivery().marks(),
                        "GivenUp", message.reason(), null, workflow == null ? 0 : workflow.version()),
                RETRY_OR_ABORT));
    }

    private Optional<Case> effect(Snapshot snapshot, String operation) {
        WorkflowRecord workflow = snapshot.workflow();
        return workflow == null || workflow.closedAt() == null ? Optional.empty()
                : store.effects(workflow.key()).stream()
                        .filter(each -> each.effect().status() == EffectStatus.INDETERMINATE)
                        .filter(each -> each.effect().key().operationId().equals(operation))
                        .findFirst().flatMap(each -> effect(snapshot, each));
    }

    private Optional<Case> effect(EffectRecord record) {
        return effect(store.load(record.workflow()), record);
    }

    /** What a person has ended the workflow with, or has had taken back, is not asked about once more. */
    private Optional<Case> effect(Snapshot snapshot, EffectRecord record) {
        WorkflowRecord workflow = snapshot.workflow();
        FlowControl.Known known = FlowControl.known(record.effect());
        Effect.Key key = record.effect().key();
        if (workflow == null || known.decided() || FlowControl.hasCase(snapshot, key.operationId())) {
            return Optional.empty();
        }
        String compensation = FlowControl.failedCompensation(key.operationId());
        if (compensation != null) {
            return Optional.of(compensation(snapshot, workflow, record, compensation));
        }
        ActivityRecord operation = snapshot.activity(FlowControl.operation(key.operationId()));
        String guarantee = operation == null ? null : FlowControl.declared(operation).guarantee();
        String of = workflow.key().workflowId();
        return Optional.of(new Case.UnknownEffect(new CaseId(CaseId.Kind.EFFECT, of, key.operationId()).text(), of,
                new Evidence(key.operationId(), key.activityName(), guarantee, key.idempotencyKey(), 1, known.code(),
                        known.message(), record.updatedAt(), workflow.version()),
                HAPPENED_OR_NOT));
    }

    private static Case compensation(Snapshot snapshot, WorkflowRecord workflow, EffectRecord record,
            String compensation) {
        FlowControl.Known known = FlowControl.known(record.effect());
        ActivityRecord operation = Objects.requireNonNull(snapshot.activity(FlowControl.operation(compensation)),
                compensation);
        FlowControl.Declared declared = FlowControl.declared(operation);
        String of = workflow.key().workflowId();
        return new Case.FailedCompensation(
                new CaseId(CaseId.Kind.EFFECT, of, record.effect().key().operationId()).text(), of,
                new Evidence(compensation, declared.activity(), declared.guarantee(), declared.key(), 1, known.code(),
                        known.message(), record.updatedAt(), workflow.version()),
                HAPPENED_OR_NOT);
    }

    private @Nullable GivenUp givenUp(CaseId id) {
        long number = Long.parseLong(id.detail());
        return store.givenUp(namespace, String.valueOf(number - 1), 1).items().stream()
                .filter(message -> message.id() == number)
                .filter(message -> message.delivery().message().workflow().workflowId().equals(id.workflowId()))
                .findFirst().orElse(null);
    }

    /** The group of a message that was given up, and its workflow if there is one to end. */
    GivenUp message(CaseId id) {
        GivenUp found = givenUp(id);
        if (found == null) {
            throw WorkflowError.undecided(id.text());
        }
        return found;
    }
}
