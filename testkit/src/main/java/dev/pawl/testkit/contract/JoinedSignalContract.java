package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Claim;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.StaleOwner;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Bundle.Part;
import dev.pawl.kernel.bundle.Overlay;
import dev.pawl.kernel.bundle.Step;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.collation.Transition;
import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Signals that the owner of their workflow accepts in the commit that deals with them: to everybody else they look the same. */
interface JoinedSignalContract extends ContractWorld {

    private static SignalRequest request(WorkflowKey key, String id) {
        return SignalContract.request(key, "approval", id);
    }

    private static SignalRequest fresh(WorkflowKey key, String id) {
        return new SignalRequest(key, "approval", id, false, new Response.Final(Sketch.text("yes")), NOW,
                NOW.plus(Duration.ofDays(1)));
    }

    private static Sketch hooks() {
        return new Sketch().activity("wait", new Request.WebHook("approval"))
                .activity("more", new Request.WebHook("other")).trigger("wait", "more");
    }

    private Bundle accepting(Driver driver, SignalRequest request) {
        Transition transition = Collation.accept(store().load(request.workflow()), request.accept(), request.message(),
                driver.sketch, NOW);
        return Objects.requireNonNull(transition).bundle();
    }

    private Commit commit(Driver driver, Bundle... bundles) {
        return store().commit(driver.fence, List.of(bundles));
    }

    @Test
    default void signalAcceptedByItsOwnerIsAppliedAndAnsweredLikeAnyOther() {
        Driver driver = driver(hooks());
        WorkflowKey key = driver.running(0);
        SignalRequest first = request(key, "s-1");

        driver.commit(accepting(driver, first));

        assertThat(store().load(key).guid(first.message().guid())).isNotNull();
        assertThat(driver.inbox()).isEmpty();
        assertThat(driver.queue()).isEmpty();
        reopen();
        SignalRequest again = new SignalRequest(key, "approval", "s-1", true, new Response.Final(Sketch.text("no")),
                NOW.plusSeconds(60), NOW.plusSeconds(120));
        assertThat(store().signal(again)).isEqualTo(new SignalResult.Duplicate(first.accepted()));
        assertThat(driver.inbox()).isEmpty();
    }

    @Test
    default void signalThatNobodyWaitsForIsKeptWithItsAcceptance() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        SignalRequest kept = fresh(key, "fresh-1");

        driver.commit(accepting(driver, kept));

        assertThat(store().load(key).signals()).containsExactly(kept.message());
        assertThat(store().signal(kept)).isEqualTo(new SignalResult.Duplicate(kept.accepted()));
    }

    @Test
    default void signalThatIsKnownIsRefusedAndTheBatchWithIt() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        WorkflowKey other = driver.running(1);
        store().signal(request(key, "s-1"));
        Snapshot before = store().load(other);

        Commit commit = commit(driver, accepting(driver, request(other, "s-1")), accepting(driver, fresh(key, "s-1")));

        assertThat(commit).isEqualTo(
                new Commit.Rejected(1, new Rejection.SignalKnown(request(key, "s-1").message().guid())));
        assertThat(store().load(other)).isEqualTo(before);
        assertThat(store().load(key).signals()).isEmpty();
        assertThat(driver.inbox()).hasSize(1);
        assertThat(store().signal(request(other, "s-1"))).isInstanceOf(SignalResult.Accepted.class);
    }

    @Test
    default void keyedSignalThatIsKnownIsRefusedByTheSameAccount() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.commit(accepting(driver, request(key, "s-1")));
        driver.commit(driver.handmade(key, new Write.TakeSignal(request(key, "s-1").message().guid())));

        assertThat(commit(driver, accepting(driver, request(key, "s-1")))).isEqualTo(
                new Commit.Rejected(0, new Rejection.SignalKnown(request(key, "s-1").message().guid())));
        assertThat(store().load(key).signals()).isEmpty();
    }

    @Test
    default void oneBatchAcceptsASignalOnce() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        SignalRequest request = request(key, "s-1");
        Bundle first = accepting(driver, request);
        Overlay overlay = new Overlay(store().load(key)).apply(first);
        // As if the code of a flow had taken notice of it: then nothing but the acceptance is left.
        Bundle take = Bundle.sealed(key, overlay, new Occasion("handmade", request.message().guid(), NOW),
                List.of(Part.of(Step.WORK, new Write.TakeSignal(request.message().guid()))));
        overlay.apply(take);
        Transition again = Collation.accept(overlay, request.accept(), request.message(), driver.sketch, NOW);
        Bundle second = Objects.requireNonNull(again).bundle();

        assertThat(commit(driver, first, take, second))
                .isEqualTo(new Commit.Rejected(2, new Rejection.SignalKnown(request.message().guid())));
        assertThat(store().signal(request)).isInstanceOf(SignalResult.Accepted.class);
    }

    @Test
    default void signalThatIsThereWithoutAnAcceptanceIsRefused() {
        Driver driver = driver(hooks());
        WorkflowKey key = driver.running(0);
        SignalRequest lying = request(key, "s-1");
        store().post(GROUP, lying.message());
        Rejection known = new Rejection.SignalKnown(lying.message().guid());

        assertThat(commit(driver, accepting(driver, lying))).as("in the inbox")
                .isEqualTo(new Commit.Rejected(0, known));

        driver.commit(driver.handmade(key, new Write.GiveUp(driver.inbox().getFirst().place(), "poison")));
        assertThat(commit(driver, accepting(driver, lying))).as("given up").isEqualTo(new Commit.Rejected(0, known));

        SignalRequest queued = request(key, "s-2");
        driver.commit(Collation.lodge(new Overlay(store().load(key)), queued.message(), NOW));
        assertThat(commit(driver, accepting(driver, queued))).as("in the queue").isEqualTo(
                new Commit.Rejected(0, new Rejection.SignalKnown(queued.message().guid())));
        assertThat(store().signal(lying)).isEqualTo(new SignalResult.Indeterminate());
    }

    @Test
    default void commitThatIsRefusedAcceptsNothing() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        SignalRequest request = request(key, "s-1");
        Bundle outdated = accepting(driver, request);
        driver.commit(accepting(driver, request(key, "s-2")));

        assertThat(commit(driver, outdated)).isInstanceOf(Commit.Rejected.class);
        Bundle late = accepting(driver, request(key, "s-3"));
        Claim raised = store().raise(driver.fence, Duration.ofMinutes(10));
        assertThat(raised).isInstanceOf(Claim.Claimed.class);
        assertThat(commit(driver, late)).isInstanceOf(StaleOwner.class);

        assertThat(store().signal(request)).isInstanceOf(SignalResult.Accepted.class);
        assertThat(store().signal(request(key, "s-3"))).isInstanceOf(SignalResult.Accepted.class);
        assertThat(driver.inbox()).hasSize(2);
    }

    @Test
    default void idsAreTakenAsTheyAreByTheOwnerToo() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        for (String id : List.of("a", "A", " a", "a:b", "a%3Ab", "\u00e9", "e\u0301", "\0", "a\\0", "\ud83d\ude00")) {
            driver.commit(accepting(driver, request(key, id)));
            assertThat(store().signal(request(key, id)))
                    .isEqualTo(new SignalResult.Duplicate(request(key, id).accepted()));
        }
        assertThat(store().load(key).signals()).hasSize(10);
    }

    @RepeatedTest(10)
    default void signalOfTheOwnerAndOneFromOutsideAreOne() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        SignalRequest request = request(key, "s-1");
        Bundle owners = accepting(driver, request);
        Fence fence = driver.fence;
        AtomicInteger turn = new AtomicInteger();

        List<Object> answers = ContractWorld.atOnce(2, () -> turn.getAndIncrement() == 0
                ? store().commit(fence, List.of(owners))
                : store().signal(new SignalRequest(key, "approval", "s-1", true, request.response(),
                        NOW.plusSeconds(1), NOW.plusSeconds(100))));

        boolean ownersWon = answers.stream().anyMatch(Commit.Committed.class::isInstance);
        assertThat(answers).anySatisfy(answer -> assertThat(answer)
                .isInstanceOf(ownersWon ? SignalResult.Duplicate.class : SignalResult.Accepted.class));
        assertThat(store().load(key).signals()).hasSize(ownersWon ? 1 : 0);
        assertThat(driver.inbox()).hasSize(ownersWon ? 0 : 1);
        assertThat(store().signal(request)).isInstanceOfSatisfying(SignalResult.Duplicate.class,
                duplicate -> assertThat(
                        duplicate.signal().acceptedAt()).isEqualTo(ownersWon ? NOW : NOW.plusSeconds(1)));
    }
}
