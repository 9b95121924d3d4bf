package dev.pawl.kernel.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.event.Occasion;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.ledger.ActivityLedger;
import dev.pawl.kernel.ledger.GuidLedger;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.ActivityType;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import dev.pawl.kernel.workflow.GuidRecord;
import dev.pawl.kernel.workflow.Waker;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How writes are told, where the events of whole transitions do not show it. */
class AccountTest {

    private static final Guid OWN = Guid.derive("test", "own");
    private static final Guid OTHER = Guid.derive("test", "other");
    private static final ActivityKey KEY = ActivityKey.trigger("a");
    private static final Payload INPUT = Payload.of(new byte[] {1});
    private static final Occasion OCCASION = new Occasion("test", OWN, Instant.parse("2030-01-01T00:00:00Z"));

    private final ActivityRecord entered = ActivityRecord.entered(KEY, ActivityType.WORKER, INPUT);

    @Test
    void rowWrittenTwiceIsToldAsItCameToBe() {
        GuidRecord seeded = new GuidRecord(OWN, KEY, GuidLedger.seed(1));

        String told = told(new Write.PutActivity(entered), new Write.PutGuid(seeded),
                new Write.PutActivity(entered.with(entered.ledger().completeLegOne())),
                new Write.PutGuid(seeded.with(seeded.ledger().markWorkDone())));

        assertThat(told)
                .contains("\"activities\":[{\"input\":\"" + INPUT.digest().base64()
                        + "\",\"key\":\"a,0\",\"ledger\":1100000000000,\"message\":10000000001,\"type\":\"WORKER\"}]")
                .doesNotContain("ledgers");
    }

    @Test
    void ledgerOfTheMessageStandsBesideItsActivityIfThatIsTold() {
        ActivityKey elsewhere = ActivityKey.trigger("b");
        GuidRecord own = new GuidRecord(OWN, elsewhere, GuidLedger.seed(1));

        assertThat(told(new Write.PutGuid(own)))
                .contains("\"ledgers\":[{\"key\":\"b,0\",\"ledger\":1}]");
        assertThat(told(new Write.PutActivity(entered), new Write.PutGuid(own))).doesNotContain("message");
        assertThat(told(new Write.PutActivity(entered), new Write.PutGuid(own),
                new Write.PutActivity(ActivityRecord.entered(elsewhere, ActivityType.WORKER, INPUT)),
                new Write.PutGuid(new GuidRecord(OTHER, KEY, GuidLedger.seed(2)))))
                .contains("\"key\":\"b,0\",\"ledger\":1000000000000,\"message\":1")
                .contains("\"ledgers\":[{\"guid\":\"" + OTHER.base64()
                        + "\",\"key\":\"a,0\",\"ledger\":2}]");
    }

    @Test
    void startIsKnownByItsWorkflow() {
        assertThat(new Account(new Occasion(Occasion.START, OWN, OCCASION.at()), Hash.NONE, Set.of()).of(List.of()))
                .isEqualTo("{\"at\":1893456000000}");
    }

    @Test
    void advanceNamesItsMessageOnlyWhereThatHasDoneSomething() {
        Write.MoveSemaphore begins = new Write.MoveSemaphore(OWN, 1, 0, false);

        assertThat(advanced(begins))
                .isEqualTo("{\"at\":1893456000000,\"cause\":\"advance\",\"moves\":[{\"delta\":1}]}");
        assertThat(advanced(begins, new Write.PutGuid(new GuidRecord(OWN, KEY, GuidLedger.seed(1)))))
                .contains("\"guid\":\"" + OWN.base64());
        assertThat(advanced(new Write.MoveSemaphore(OWN, 1, 0, true))).contains("\"guid\":\"" + OWN.base64());
    }

    private static String advanced(Write... writes) {
        return new Account(new Occasion(Occasion.ADVANCE, OWN, OCCASION.at()), Hash.NONE, Set.of()).of(List.of(writes));
    }

    @Test
    void moveByNothingIsToldOnlyIfItCloses() {
        assertThat(told(new Write.MoveSemaphore(OWN, 0, 0, false))).doesNotContain("moves");
        assertThat(told(new Write.MoveSemaphore(OWN, 0, 0, true)))
                .contains("\"moves\":[{\"closes\":true,\"delta\":0}]");
    }

    @Test
    void timeOfTheEndIsToldWhereItIsNotThatOfTheEvent() {
        assertThat(told(new Write.CloseWorkflow(WorkflowStatus.FAILED, Payload.EMPTY, "why", OCCASION.at())))
                .contains("\"closed\":{\"reason\":\"why\",\"status\":\"FAILED\"}");
        assertThat(told(new Write.CloseWorkflow(WorkflowStatus.FAILED, Payload.EMPTY, "why",
                OCCASION.at().plusMillis(1)))).contains("\"closed\":{\"at\":1893456000001,");
    }

    @Test
    void messageIsNamedWhereItIsNotTheOneThatCame() {
        String told = told(new Write.MoveSemaphore(OTHER, -1, GuidLedger.CLOSER, true),
                new Write.MoveJoin(KEY, 2, OTHER, false),
                new Write.PutGuid(new GuidRecord(OTHER, KEY, GuidLedger.seed(1))));

        assertThat(told).contains("\"moves\":[{\"by\":\"" + OTHER.base64() + "\",\"closes\":true,\"delta\":-1}]")
                .contains("\"joins\":[{\"arrivals\":2,\"by\":\"" + OTHER.base64() + "\",\"key\":\"a,0\"}]")
                .contains("\"guid\":\"" + OTHER.base64() + "\",\"key\":\"a,0\",\"ledger\":1}]");
        assertThat(told(new Write.MoveSemaphore(OWN, 2, GuidLedger.CLOSER, false)))
                .contains("\"moves\":[{\"delta\":2}]");
    }

    @Test
    void typeAndInputAreToldByTheFirstEventOfAnActivityAndNeverAfter() {
        String first = told(new Write.PutActivity(entered.with(ActivityLedger.parse("001100000000000"))));
        String later = new Account(OCCASION, Hash.NONE, Set.of(KEY)).of(List.of(new Write.PutActivity(entered)));

        assertThat(first).contains("\"input\":\"" + INPUT.digest().base64() + "\"").contains("\"type\":\"WORKER\"");
        assertThat(later).doesNotContain("input").doesNotContain("type");
    }

    @Test
    void taskIsToldWhereItIsNotTheInput() {
        assertThat(told(task(INPUT))).doesNotContain("\"task\":");
        assertThat(told(task(Payload.EMPTY))).contains("\"task\":\"\"");
        Payload given = Payload.of(new byte[] {2});
        assertThat(told(task(given))).contains("\"task\":\"" + given.digest().base64() + "\"");
    }

    @Test
    void noTwoWakersReadTheSame() {
        assertThat(told(new Write.PutActivity(entered.with(new Waker.Hook("x", true)))))
                .isNotEqualTo(told(new Write.PutActivity(entered.with(new Waker.Hook("taken x", false)))))
                .contains("\"waker\":\"taken hook x\"");
    }

    @Test
    void acknowledgementIsNotToldBecauseTheEventItselfTellsOfIt() {
        assertThat(told(new Write.Acknowledge(new Delivery.Place.Queue(3)))).isEqualTo(told());
    }

    @Test
    void effectIsToldByItsStatusAndTheDigestOfWhatItCameTo() {
        Effect declared = Effect.declared(new Effect.Key("charge", "pay", "k\"1"));
        Payload result = Payload.of(new byte[] {7});

        assertThat(told(effect(declared))).contains("\"effects\":[{\"activity\":\"charge\",\"key\":\"k\\\"1\","
                + "\"operation\":\"pay\",\"status\":\"indeterminate\"}]");
        assertThat(told(effect(declared.completed(result)))).contains("\"operation\":\"pay\",\"result\":\""
                + result.digest().base64() + "\",\"status\":\"completed\"}]");
        assertThat(told(effect(declared.after(EffectStatus.TIMED_OUT, result)))).contains("\"error\":\""
                + result.digest().base64() + "\",\"key\":").contains("\"status\":\"timed-out\"");
        assertThat(told()).doesNotContain("effects");
    }

    @Test
    void attributesAreToldByTypeAndDigest() {
        Payload text = Payload.of("vip".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(told(put(new Attribute.Text("tier", "vip")))).contains("\"attributes\":[{\"name\":\"tier\","
                + "\"type\":\"text\",\"value\":\"" + text.digest().base64() + "\"}],\"cause\"").doesNotContain("vip");
        assertThat(told(put(new Attribute.Whole("n", 7)), put(new Attribute.Flag("f", true)),
                put(new Attribute.Time("t", OCCASION.at())), put(new Attribute.Memo("m", text))))
                .contains("\"type\":\"long\"").contains("\"type\":\"boolean\"").contains("\"type\":\"time\"")
                .contains("\"type\":\"memo\",\"value\":\"" + text.digest().base64());
        assertThat(told(put(new Attribute.Removed(new Attribute.Key(false, "a"))),
                put(new Attribute.Removed(new Attribute.Key(true, "b")))))
                .contains("{\"name\":\"a\",\"removed\":\"attribute\"},{\"name\":\"b\",\"removed\":\"memo\"}");
        assertThat(told()).doesNotContain("attributes");
    }

    private static Write put(Attribute attribute) {
        return new Write.PutAttribute(attribute, OCCASION.at());
    }

    private static Write effect(Effect effect) {
        return new Write.PutEffect(EffectRecord.of(new WorkflowKey("n", "w"), effect, OCCASION.at()));
    }

    private Write task(Payload input) {
        return new Write.PutActivity(entered.with(new Waker.Task("queue", input, 1, OCCASION.at())));
    }

    private static String told(Write... writes) {
        return new Account(OCCASION, Hash.NONE, Set.of()).of(List.of(writes));
    }
}
