package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.store.AttributeCondition;
import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Cutoffs;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What workflows are found by: kept with the commit that sets it, the last value under a name, and gone with its workflow. */
interface AttributeContract extends ContractWorld {

    WorkflowQuery EVERY = WorkflowQuery.all(NAMESPACE);
    String SNOWMAN = "\u2603 \ud83d\ude00 \u00e9 e\u0301 \\ ' % _ \n";

    private static Write put(Attribute attribute) {
        return new Write.PutAttribute(attribute, NOW);
    }

    private static Write removed(boolean memo, String name) {
        return put(new Attribute.Removed(new Attribute.Key(memo, name)));
    }

    private static Attribute text(String name, String value) {
        return new Attribute.Text(name, value);
    }

    private static Attribute whole(String name, long value) {
        return new Attribute.Whole(name, value);
    }

    private static Write[] puts(Attribute... attributes) {
        return List.of(attributes).stream().map(AttributeContract::put).toArray(Write[]::new);
    }

    /** The n-th workflow, created so many seconds after the first, with these. */
    private WorkflowKey having(Driver driver, int n, Attribute... attributes) {
        driver.now = NOW.plusSeconds(n);
        WorkflowKey key = driver.key(n);
        Message.Start start = Driver.start(key);
        driver.run(new Message.Start(key, start.beginning(), List.of(attributes)));
        driver.drain(key);
        return key;
    }

    private List<Integer> found(Driver driver, AttributeCondition... conditions) {
        WorkflowQuery query = EVERY;
        for (AttributeCondition condition : conditions) {
            query = query.where(condition);
        }
        return numbers(driver, store().workflows(query, null, 100).items());
    }

    private static List<Integer> numbers(Driver driver, List<WorkflowRecord> workflows) {
        List<WorkflowKey> keys = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            keys.add(driver.key(n));
        }
        return workflows.stream().map(workflow -> keys.indexOf(workflow.key())).toList();
    }

    private static AttributeCondition is(Attribute value) {
        return AttributeCondition.in(List.of(value));
    }

    @Test
    default void everyAttributeIsReadBackAsItWas() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Payload memo = Payload.of(new byte[] {0, -1, '"', 10});
        List<Attribute> all = List.of(whole("biggest", Long.MAX_VALUE), new Attribute.Time("due", NOW),
                text("empty", ""), new Attribute.Flag("no", false), whole("smallest", Long.MIN_VALUE),
                text("text", SNOWMAN), text("wide", "\u20ac".repeat(682)), new Attribute.Flag("yes", true),
                new Attribute.Memo("empty", Payload.EMPTY), new Attribute.Memo("text", memo));
        driver.commit(driver.handmade(key, puts(all.toArray(Attribute[]::new))));
        reopen();

        assertThat(store().attributes(key)).isEqualTo(all);
        assertThat(store().attributes(ContractWorld.key("nobody"))).isEmpty();
    }

    @Test
    default void lastValueUnderANameHoldsWhateverItsType() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        driver.commit(driver.handmade(key, puts(text("a", "one"), text("b", "one"), whole("c", 1))));
        driver.commit(driver.handmade(key, puts(whole("a", 2))));
        assertThat(store().attributes(key)).containsExactly(whole("a", 2), text("b", "one"), whole("c", 1));

        driver.commit(driver.handmade(key, put(text("a", "x")), put(text("a", "three")), removed(false, "b"),
                removed(false, "c"), put(text("c", "again")), put(text("d", "new")), removed(false, "d"),
                removed(false, "never")));

        assertThat(store().attributes(key)).containsExactly(text("a", "three"), text("c", "again"));
        assertThat(found(driver, is(whole("a", 2)))).isEmpty();
        assertThat(found(driver, is(text("a", "three")))).containsExactly(0);
        driver.commit(driver.handmade(key, removed(false, "a")));
        assertThat(store().attributes(key)).containsExactly(text("c", "again"));
        assertThat(found(driver, is(text("a", "three")))).isEmpty();
    }

    @Test
    default void memosAreNotFoundAndDoNotHideAttributes() {
        Driver driver = driver();
        WorkflowKey key = having(driver, 0, text("a", "x"), new Attribute.Memo("a", Sketch.text("x")),
                new Attribute.Memo("m", Sketch.text("x")));

        driver.commit(driver.handmade(key, removed(true, "a")));

        assertThat(store().attributes(key)).containsExactly(text("a", "x"), new Attribute.Memo("m", Sketch.text("x")));
        assertThat(found(driver, is(text("m", "x")))).isEmpty();
        assertThat(found(driver, new AttributeCondition.Exists("m"))).isEmpty();
    }

    @Test
    default void workflowsAreFoundByOneValueOfOneType() {
        Driver driver = driver();
        having(driver, 0, text("a", "1"));
        having(driver, 1, whole("a", 1));
        having(driver, 2, new Attribute.Flag("a", true));
        having(driver, 3, new Attribute.Time("a", Instant.ofEpochMilli(1)));
        having(driver, 4, text("b", "1"));
        having(driver, 5);

        assertThat(found(driver, is(text("a", "1")))).containsExactly(0);
        assertThat(found(driver, is(whole("a", 1)))).containsExactly(1);
        assertThat(found(driver, is(new Attribute.Flag("a", true)))).containsExactly(2);
        assertThat(found(driver, is(new Attribute.Flag("a", false)))).isEmpty();
        assertThat(found(driver, is(new Attribute.Time("a", Instant.ofEpochMilli(1))))).containsExactly(3);
        assertThat(found(driver, is(text("a", "1' or '1'='1")))).isEmpty();
        assertThat(found(driver, new AttributeCondition.Exists("a"))).containsExactly(3, 2, 1, 0);
        assertThat(store().workflows(WorkflowQuery.all("elsewhere").where(is(text("a", "1"))), null, 9).items())
                .isEmpty();
    }

    @Test
    default void workflowsAreFoundByRangesAndBySeveralValues() {
        Driver driver = driver();
        String[] texts = {"", "a", "a ", "ab", "b", "\u00e9", "\uffee", "\ud83d\ude00"};
        for (int n = 0; n < texts.length; n++) {
            having(driver, n, text("t", texts[n]), whole("n", n - 4), new Attribute.Time("d", NOW.plusSeconds(n)));
        }

        assertThat(found(driver, AttributeCondition.between(text("t", "a"), text("t", "b"))))
                .containsExactly(4, 3, 2, 1);
        assertThat(found(driver, AttributeCondition.between(text("t", "b"), null))).containsExactly(7, 6, 5, 4);
        assertThat(found(driver, AttributeCondition.between(null, text("t", "a ")))).containsExactly(2, 1, 0);
        assertThat(found(driver, AttributeCondition.between(text("t", "\uffee"), null))).containsExactly(7, 6);
        assertThat(found(driver, AttributeCondition.between(whole("n", -2), whole("n", 0)))).containsExactly(4, 3, 2);
        assertThat(found(driver, AttributeCondition.between(null, whole("n", -3)))).containsExactly(1, 0);
        assertThat(found(driver, AttributeCondition.between(new Attribute.Time("d", NOW.plusSeconds(6)), null)))
                .containsExactly(7, 6);
        assertThat(found(driver, AttributeCondition.between(whole("d", 0), null))).isEmpty();
        assertThat(found(driver, AttributeCondition.in(List.of(text("t", "b"), text("t", "nobody"), text("t", ""),
                text("t", "b"))))).containsExactly(4, 0);
        assertThat(found(driver, AttributeCondition.in(List.of(whole("n", 3), whole("n", -4))))).containsExactly(7, 0);
    }

    @Test
    default void everythingThatIsAskedMustHold() {
        Driver driver = driver();
        for (int n = 0; n < 8; n++) {
            having(driver, n, text("even", String.valueOf(n % 2 == 0)), whole("n", n), new Attribute.Flag("f", n > 3));
        }
        AttributeCondition even = is(text("even", "true"));
        AttributeCondition some = AttributeCondition.between(whole("n", 2), whole("n", 6));
        AttributeCondition late = is(new Attribute.Flag("f", true));
        driver.run(new Message.Interrupt(driver.key(4), Guid.derive("test", "stop"),
                Ending.interrupted("stop", false)));

        assertThat(found(driver, even, some)).containsExactly(6, 4, 2);
        assertThat(found(driver, some, even)).containsExactly(6, 4, 2);
        assertThat(found(driver, some, late, even)).containsExactly(6, 4);
        assertThat(found(driver, some, new AttributeCondition.Exists("nothing"))).isEmpty();
        assertThat(found(driver, even, is(text("even", "false")))).isEmpty();
        WorkflowQuery query = EVERY.where(even).where(some);
        assertThat(numbers(driver, store().workflows(query.inStatus(WorkflowStatus.RUNNING), null, 9).items()))
                .containsExactly(6, 2);
        assertThat(numbers(driver, store().workflows(EVERY.where(even).createdBetween(NOW.plusSeconds(2),
                NOW.plusSeconds(6)), null, 9).items())).containsExactly(4, 2);
        assertThat(numbers(driver, store().workflows(EVERY.where(some).createdBetween(NOW.plusSeconds(3),
                NOW.plusSeconds(5)), null, 9).items())).containsExactly(4, 3);
        assertThat(store().workflows(query.ofDefinition("refund"), null, 9).items()).isEmpty();
        assertThat(store().workflows(query.withIdPrefix(driver.key(2).workflowId()), null, 9).items()).isNotEmpty();
    }

    @Test
    default void pagesOfWhatIsFoundShowEveryWorkflowOnceEvenOfTheSameInstant() {
        Driver driver = driver();
        for (int n = 0; n < 9; n++) {
            driver.now = NOW.plusSeconds(n / 3);
            Message.Start start = Driver.start(driver.key(n));
            driver.run(new Message.Start(driver.key(n), start.beginning(), List.of(text("a", "x"), whole("n", 1))));
        }
        for (AttributeCondition condition : List.of(is(text("a", "x")), is(whole("n", 1)),
                AttributeCondition.between(whole("n", 0), null), AttributeCondition.between(text("a", "w"), null),
                new AttributeCondition.Exists("a"))) {
            List<WorkflowRecord> all = store().workflows(EVERY.where(condition), null, 100).items();
            List<WorkflowRecord> paged = new ArrayList<>();
            Page<WorkflowRecord> page = store().workflows(EVERY.where(condition), null, 2);
            paged.addAll(page.items());
            for (int i = 0; i < 10 && page.next() != null; i++) {
                page = store().workflows(EVERY.where(condition), page.next(), 2);
                paged.addAll(page.items());
            }
            assertThat(paged).isEqualTo(all).hasSize(9);
            assertThat(all).isEqualTo(store().workflows(EVERY, null, 100).items());
        }
    }

    @Test
    default void workflowStartedFromOutsideIsBornWithItsAttributes() {
        Driver driver = driver();
        WorkflowKey key = driver.key(0);
        Message.Start start = new Message.Start(key, Driver.start(key).beginning(),
                List.of(text("a", SNOWMAN), whole("n", 1), new Attribute.Flag("f", true), new Attribute.Time("t", NOW),
                        new Attribute.Memo("m", Payload.of(new byte[] {0, -1}))));
        store().start(start, Collation.inception(start, NOW));
        store().start(start, Collation.inception(start, NOW));

        assertThat(store().attributes(key)).containsExactlyInAnyOrderElementsOf(start.attributes());
        assertThat(found(driver, is(text("a", SNOWMAN)))).containsExactly(0);
        assertThat(driver.inbox()).singleElement().extracting(delivery -> delivery.message()).isEqualTo(start);
    }

    @Test
    default void attributesOfAWorkflowThatGoesOnAreSentAlong() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        List<Attribute> carried = List.of(text("a", SNOWMAN), new Attribute.Memo("m", Sketch.text("x")));
        String successor = driver.key(1).workflowId();
        driver.run(new Message.Interrupt(key, Guid.derive("test", "next"),
                Ending.continued(successor, Sketch.text("in"), carried)));
        reopen();

        assertThat(driver.inbox()).singleElement().satisfies(
                delivery -> assertThat(((Message.Start) delivery.message()).attributes()).isEqualTo(carried));
        driver.run(driver.inbox().getFirst());
        assertThat(store().attributes(driver.key(1))).isEqualTo(carried);
    }

    @Test
    default void refusedBatchLeavesNoAttribute() {
        Driver driver = driver();
        WorkflowKey key = driver.running(0);
        Bundle good = driver.handmade(key, puts(text("a", "x")));

        assertThat(store().commit(driver.fence, List.of(good, good))).isInstanceOf(Commit.Rejected.class);
        assertThat(store().attributes(key)).isEmpty();
        assertThat(found(driver, is(text("a", "x")))).isEmpty();
    }

    @Test
    default void attributesGoWithTheirWorkflow() {
        Driver driver = driver();
        WorkflowKey over = having(driver, 0, text("a", "x"));
        having(driver, 1, text("a", "x"));
        driver.run(new Message.Interrupt(over, Guid.derive("test", "stop"), Ending.interrupted("stop", false)));

        assertThat(store().sweep(NAMESPACE, Cutoffs.all(NOW.plus(Duration.ofDays(1))), NOW, 10).workflows())
                .isEqualTo(1);
        assertThat(store().attributes(over)).isEmpty();
        assertThat(store().orphans(NAMESPACE)).isEmpty();
        assertThat(found(driver, is(text("a", "x")))).containsExactly(1);
        assertThat(driver.running(0)).isEqualTo(over);
        assertThat(store().attributes(over)).isEmpty();
    }
}
