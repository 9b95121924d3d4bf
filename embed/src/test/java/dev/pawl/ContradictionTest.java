package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Verified;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A verifier that contradicts what is recorded, or what it has said itself: nobody is believed, and both sides are kept. */
class ContradictionTest extends ReconciliationBench {

    /** Somebody else has written it: a restored table, another version. The engine writes both in one commit. */
    private static void recordCompleted(String url, String result) {
        String bytes = (url.startsWith("jdbc:sqlite:") ? "x'" : "'\\x")
                + java.util.HexFormat.of().formatHex(result.getBytes(StandardCharsets.UTF_8)) + "'";
        Lifetime.execute(url, "update " + Lifetime.table(url, "effect") + " set status = 'completed', result = "
                + bytes);
    }

    private EffectRecord contradicted(Databases.Kind kind, Activity.Verifier<String, String> verifier, String expected)
            throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY));
        recordCompleted(url, "\"recorded\"");
        return resume(url, charge(false).key(input -> KEY).verify(verifier), expected);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatDeniesWhatIsRecordedFailsClosed(Databases.Kind kind) throws Exception {
        EffectRecord record = contradicted(kind, (key, input) -> new Verified.NotCompleted<>(),
                "VerifierContradiction");

        assertRecord(record, EffectStatus.INDETERMINATE, null, "has not happened");
        assertThat(text(record.effect().error())).contains("\"recorded\":\"recorded\"");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatTellsAnotherResultFailsClosed(Databases.Kind kind) throws Exception {
        EffectRecord record = contradicted(kind, (key, input) -> new Verified.Completed<>("other"),
                "VerifierContradiction");

        assertRecord(record, EffectStatus.INDETERMINATE, null, "something else");
        assertThat(text(record.effect().error())).contains("\"recorded\":\"recorded\"", "\"verified\":\"other\"");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void recordedResultCatchesUpWhereTheVerifierAgreesOrDoesNotKnow(Databases.Kind kind) throws Exception {
        assertRecord(contradicted(kind, (key, input) -> new Verified.Completed<>("recorded"), "recorded"),
                EffectStatus.COMPLETED, "\"recorded\"", null);
        runs.set(0);
        assertRecord(contradicted(kind, (key, input) -> new Verified.Indeterminate<>("no idea"), "recorded"),
                EffectStatus.COMPLETED, "\"recorded\"", null);
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void recordedResultOfAnIdempotentActivityCatchesUp(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY).guarantee(Guarantee.IDEMPOTENT));
        recordCompleted(url, "\"recorded\"");

        assertRecord(resume(url, charge(false).key(input -> KEY).guarantee(Guarantee.IDEMPOTENT), "recorded"),
                EffectStatus.COMPLETED, "\"recorded\"", null);
        assertThat(runs).hasValue(1);
    }

    /** The process lives on, but its commit is lost: it asks again, and is told the opposite. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void verifierThatTakesBackWhatItSaidFailsClosed(Databases.Kind kind) throws Exception {
        String url = kind.fresh();
        crash(url, charge(true).key(input -> KEY));
        Flow<String, String> flow = flow(charge(false).key(input -> KEY).verify((key, input) -> looks
                .incrementAndGet() == 1 ? new Verified.Completed<>("found") : new Verified.NotCompleted<>()));
        try (Lifetime second = new Lifetime(url, flow).lose(Lifetime.ends("pay"))) {
            assertThat(second.pawl.workflow(flow, ID).result(SOON)).isEqualTo("VerifierContradiction");
            assertRecord(second.effects(ID).getFirst(), EffectStatus.INDETERMINATE, null, "\"recorded\":\"found\"");
        }
        assertThat(runs).hasValue(1);
        assertThat(looks).hasValue(2);
    }
}
