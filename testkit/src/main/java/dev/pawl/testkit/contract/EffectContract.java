package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Page;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.Effect;
import dev.pawl.kernel.workflow.EffectRecord;
import dev.pawl.kernel.workflow.EffectStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known of effects on the outside world: kept with the commit that says so, told apart, and gone with its workflow. */
interface EffectContract extends ContractWorld {

    private static Effect effect(String operation, String key) {
        return Effect.declared(new Effect.Key("charge", operation, key));
    }

    private static EffectRecord record(WorkflowKey workflow, Effect effect, Instant now) {
        return EffectRecord.of(workflow, effect, now);
    }

    private static Write put(WorkflowKey workflow, Effect effect, Instant now) {
        return new Write.PutEffect(record(workflow, effect, now));
    }

    @Test
    default void everyEffectIsReadBackAsItWas() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Payload bytes = Payload.of(new byte[] {0, -1, '"', 10});
        List<EffectRecord> written = new ArrayList<>();
        for (EffectStatus status : EffectStatus.values()) {
            Effect each = effect("map.0:" + status.text(), "k");
            written.add(record(key, each.after(status, null), NOW));
            written.add(record(key, effect("e" + status.text(), "k").after(status, bytes), NOW));
        }
        written.add(record(key, effect("r1", "k").completed(bytes), NOW));
        written.add(record(key, effect("r2", "k").completed(Payload.EMPTY), NOW));
        driver.commit(driver.handmade(key, written.stream().map(Write.PutEffect::new).toArray(Write[]::new)));
        reopen();

        assertThat(store().effects(key)).isEqualTo(written.stream()
                .sorted(Comparator.comparing(each -> each.effect().key())).toList());
        assertThat(store().effects(key)).allMatch(each -> each.version() == 1 && each.workflow().equals(key));
    }

    /** Every character that keys are put together with, escaped with or cut off at, in every place it may stand in. */
    @Test
    default void noTwoKeysAreTakenForTheSame() {
        Driver driver = driver();
        List<WorkflowKey> workflows = List.of(driver.running(0), driver.running(1));
        List<String> names = List.of("a", "a:", ":a", "a:a");
        List<String> keys = List.of("a", "A", "a ", ":", "%", "%3A", "a:a", "\0", "\\0", "a\0", "\ud83d\ude00",
                "\\uD83D\\uDE00", "\u00e9", "e\u0301", "x".repeat(Effect.Key.BYTES_MAX),
                "\0".repeat(Effect.Key.BYTES_MAX), "\ud83d\ude00".repeat(Effect.Key.BYTES_MAX / 4));
        for (WorkflowKey workflow : workflows) {
            List<Write> writes = new ArrayList<>();
            names.forEach(activity -> names.forEach(operation -> keys.forEach(key -> writes.add(put(workflow,
                    Effect.declared(new Effect.Key(activity, operation, key)).completed(
                            Sketch.text(activity + "|" + operation + "|" + key + "|" + workflow)),
                    NOW)))));
            driver.commit(driver.handmade(workflow, writes.toArray(Write[]::new)));
        }
        reopen();

        for (WorkflowKey workflow : workflows) {
            List<EffectRecord> effects = store().effects(workflow);
            assertThat(effects).hasSize(names.size() * names.size() * keys.size());
            assertThat(effects).allSatisfy(each -> {
                Effect.Key key = each.effect().key();
                assertThat(each.effect().result()).isEqualTo(Sketch.text(key.activityName() + "|" + key.operationId()
                        + "|" + key.idempotencyKey() + "|" + workflow));
            });
        }
    }

    @Test
    default void whatIsWrittenLastHoldsAndTheFirstDeclarationStays() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Effect declared = effect("pay", "k");
        Instant later = NOW.plusSeconds(5);
        driver.commit(driver.handmade(key, put(key, declared, NOW)));
        driver.commit(driver.handmade(key, put(key, declared.after(EffectStatus.FAILED, Sketch.text("no")), later)));

        assertThat(store().effects(key)).containsExactly(new EffectRecord(1, key,
                declared.after(EffectStatus.FAILED, Sketch.text("no")), NOW, later));
        driver.commit(driver.handmade(key, put(key, declared.completed(Sketch.text("yes")), later.plusSeconds(1))));

        assertThat(store().effects(key)).containsExactly(new EffectRecord(1, key,
                declared.completed(Sketch.text("yes")), NOW, later.plusSeconds(1)));
    }

    @Test
    default void severalWritesOfOneBatchComeToTheLast() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Effect declared = effect("pay", "k");
        driver.commit(driver.handmade(key, put(key, declared, NOW), put(key, effect("ship", "k"), NOW),
                put(key, declared.after(EffectStatus.TIMED_OUT, null), NOW.plusSeconds(1)),
                put(key, declared.completed(Sketch.text("yes")), NOW.plusSeconds(2))));

        assertThat(store().effects(key)).containsExactly(
                new EffectRecord(1, key, declared.completed(Sketch.text("yes")), NOW, NOW.plusSeconds(2)),
                record(key, effect("ship", "k"), NOW));
    }

    @Test
    default void refusedBatchLeavesNoEffect() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle good = driver.handmade(key, put(key, effect("pay", "k"), NOW));

        assertThat(store().commit(driver.fence, List.of(good, good))).isInstanceOf(Commit.Rejected.class);
        assertThat(store().effects(key)).isEmpty();
        assertThat(store().effects(ContractWorld.key("nobody"))).isEmpty();
    }

    @Test
    default void eventOfTheCommitTellsOfTheEffect() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Payload secret = Sketch.text("secret");
        driver.commit(driver.handmade(key, put(key, effect("pay", "k").completed(secret), NOW)));

        Event last = store().events(key, 0, 1_000).getLast();
        assertThat(last.json()).contains("\"operation\":\"pay\",\"result\":\"" + secret.digest().base64()
                + "\",\"status\":\"completed\"").doesNotContain("secret");
    }

    @Test
    default void effectsGoWithTheirWorkflow() {
        Driver driver = driver();
        WorkflowKey over = driver.running(0);
        WorkflowKey open = driver.running(1);
        for (WorkflowKey key : List.of(over, open)) {
            driver.commit(driver.handmade(key, put(key, effect("pay", "k"), NOW)));
        }
        driver.run(end(over));

        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW.plus(Duration.ofDays(1))), NOW, 10).workflows())
                .isEqualTo(1);
        assertThat(store().effects(over)).isEmpty();
        assertThat(store().effects(open)).hasSize(1);
        assertThat(driver.running(0)).isEqualTo(over);
        assertThat(store().effects(over)).isEmpty();
    }

    private static Message.Interrupt end(WorkflowKey key) {
        return new Message.Interrupt(key, Guid.derive("test", "stop"),
                new Ending(WorkflowEvent.FAIL, "why", 500, false, Payload.EMPTY));
    }

    /** In pages of one, so that every place is one to go on from, whatever the key looks like. */
    private List<EffectRecord> unknown() {
        List<EffectRecord> found = new ArrayList<>();
        String cursor = null;
        do {
            Page<EffectRecord> page = store().unknownEffects(NAMESPACE, cursor, 1);
            found.addAll(page.items());
            cursor = page.next();
        } while (cursor != null);
        return found;
    }

    @Test
    default void whatIsNotKnownOfClosedWorkflowsIsListedInPages() {
        Driver driver = driver();
        List<WorkflowKey> closed = List.of(driver.running(0), driver.running(1));
        List<String> keys = List.of("k", "k k", "\0", "\\0", "a:\ud83d\ude00");
        List<EffectRecord> expected = new ArrayList<>();
        for (WorkflowKey workflow : closed) {
            keys.forEach(each -> expected.add(record(workflow, effect("pay", each), NOW)));
            expected.add(record(workflow,
                    effect("ship", "k").after(EffectStatus.INDETERMINATE, Sketch.text("why")), NOW));
        }
        expected.forEach(each -> driver.commit(driver.handmade(each.workflow(), new Write.PutEffect(each))));
        for (EffectStatus status : EffectStatus.values()) {
            if (status != EffectStatus.INDETERMINATE) {
                driver.commit(driver.handmade(closed.getFirst(),
                        put(closed.getFirst(), effect("known:" + status.text(), "k").after(status, null), NOW)));
            }
        }
        assertThat(unknown()).as("under way").isEmpty();
        closed.forEach(key -> driver.run(end(key)));

        assertThat(unknown()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(store().unknownEffects(NAMESPACE, null, 100).items()).isEqualTo(unknown());
        assertThat(store().unknownEffects("elsewhere", null, 100).items()).isEmpty();
        store().sweep(NAMESPACE, Cutoffs.all(NOW.plus(Duration.ofDays(1))), NOW, 10);
        assertThat(unknown()).isEmpty();
    }

    @Test
    default void whatIsUnderWayIsNotListedAsUnknown() {
        Driver driver = driver();
        WorkflowKey open = driver.running(0);
        WorkflowKey closed = driver.running(1);
        for (WorkflowKey key : List.of(open, closed)) {
            driver.commit(driver.handmade(key, put(key, effect("pay", "k"), NOW)));
        }
        driver.run(end(closed));

        assertThat(unknown()).extracting(EffectRecord::workflow).containsExactly(closed);
    }
}
