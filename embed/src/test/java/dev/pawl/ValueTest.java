package dev.pawl;

import static dev.pawl.FlowTest.SOON;
import static dev.pawl.FlowTest.await;
import static dev.pawl.FlowTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.TypeRef;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the code sees has been through the codec once, in the first run as in every other, with all its digits. */
class ValueTest {

    private static final BigDecimal FINE = new BigDecimal("0.12345678901234567890");

    /** What each place in the code has seen, in all runs. */
    private final Map<String, Set<String>> seen = Collections.synchronizedMap(new TreeMap<>());
    private final List<String> undone = Collections.synchronizedList(new ArrayList<>());

    record Money(BigDecimal amount, Object note) {
    }

    /** Says more when it is written than it takes when it is read. */
    public static final class Lossy {

        private final transient int hidden;

        Lossy(int hidden) {
            this.hidden = hidden;
        }

        public Lossy() {
            this(0);
        }

        public int getTwice() {
            return 2 * hidden;
        }
    }

    /** Written as two members; nothing says how to read it. */
    interface Shape {

        int corners();
    }

    record Square(int corners, int side) implements Shape {
    }

    private <T extends @Nullable Object> T see(String place, T value) {
        seen.computeIfAbsent(place, missing -> new TreeSet<>()).add(text(value));
        return value;
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map -> new TreeMap<>(map).entrySet().stream()
                    .map(each -> each.getKey() + "=" + text(each.getValue())).toList().toString();
            case List<?> list -> list.stream().map(ValueTest::text).toList().toString();
            case Money money -> "money " + text(money.amount()) + text(money.note());
            default -> value.getClass().getSimpleName() + " " + value;
        };
    }

    private static Map<String, Object> mixed() {
        Map<String, Object> mixed = new LinkedHashMap<>();
        mixed.put("decimal", new BigDecimal("1.10"));
        mixed.put("fine", FINE);
        mixed.put("double", 0.1);
        mixed.put("float", 0.5f);
        mixed.put("short", (short) 3);
        mixed.put("long", 5L);
        mixed.put("large", new BigInteger("123456789012345678901234567890"));
        mixed.put("time", Instant.parse("2026-11-17T10:00:00.123456789Z"));
        mixed.put("list", List.of(1L, "x", new BigDecimal("2.50")));
        return mixed;
    }

    private final Activity<Object, Object> untyped = Activity.<Object, Object>named("untyped", Object.class,
            Object.class, input -> see("activity input", input)).key(input -> text(see("key input", input)))
            .compensate((input, output) -> undone.add(text(input) + text(output)));

    private final Activity<Money, Money> pay = Activity.<Money, Money>named("pay", Money.class, Money.class,
            input -> see("typed input", input));

    private final Activity<List<Money>, List<Money>> payAll = Activity.<List<Money>, List<Money>>named("pay-all",
            new TypeRef<List<Money>>() {}, new TypeRef<List<Money>>() {}, (attempt, input) -> see("list", input));

    private final Flow<Object, Object> child = Flow.named("child", Object.class, Object.class,
            (context, input) -> see("child input", input));

    private final Flow<Object, Object> flow = Flow.named("values", Object.class, Object.class, (context, input) -> {
        BigDecimal[] sum = {BigDecimal.ZERO};
        context.onUpdate("add", BigDecimal.class, BigDecimal.class, added -> sum[0] = sum[0].add(added));
        context.onUpdate("any", Object.class, Object.class, given -> see("update", given));
        context.onQuery("sum", Object.class, BigDecimal.class, none -> sum[0]);
        see("input", input);
        see("step", context.step("object", Object.class, ValueTest::mixed));
        see("number", context.step("number", Number.class, () -> 7L));
        see("decimal", context.step("decimal", Number.class, () -> new BigDecimal("7.70")));
        see("transaction", context.transaction("in-one", Object.class, connection -> mixed()));
        see("activity", context.run(untyped, mixed()));
        see("typed", context.run(pay, new Money(new BigDecimal("1.10"), 5L)));
        see("all", context.run(payAll, List.of(new Money(FINE, 1.50))));
        see("child", context.child(child, context.workflowId() + ".child", mixed()));
        see("zone", context.step("zone", ZonedDateTime.class,
                () -> ZonedDateTime.parse("2026-11-17T10:00:00+01:00[Europe/Berlin]")));
        see("signal", context.signal("any", Object.class));
        context.signal("go", String.class);
        return sum[0];
    });

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#kinds")
    void everyRunSeesTheSameValuesOfTheSameTypes(Databases.Kind kind, int waitingMax) throws Exception {
        String url = kind.fresh();
        try (Pawl pawl = open(url, waitingMax, flow, child)) {
            WorkflowHandle<Object> handle = pawl.start(flow, "w", mixed());
            assertThat(handle.update("add", new BigDecimal("1.10"), BigDecimal.class))
                    .isEqualTo(new BigDecimal("1.10"));
            handle.update("any", mixed(), Object.class);
            handle.signal("any", mixed());
            await(() -> handle.operations().stream().anyMatch(each -> each.key().activity().equals("go")));
            assertThat(handle.update("add", FINE, BigDecimal.class).toPlainString())
                    .isEqualTo("1.22345678901234567890");
        }
        try (Pawl pawl = open(url, waitingMax, flow, child)) {
            WorkflowHandle<Object> handle = pawl.workflow(flow, "w");
            assertThat(handle.query("sum", null, BigDecimal.class).toPlainString())
                    .isEqualTo("1.22345678901234567890");
            handle.signal("go", "");

            assertThat(handle.result(SOON)).isEqualTo(new BigDecimal("1.22345678901234567890"));
        }
        assertThat(seen).allSatisfy((place, values) -> assertThat(values).as(place).hasSize(1));
        assertThat(seen.get("step")).isEqualTo(seen.get("input")).isEqualTo(seen.get("activity input"))
                .isEqualTo(seen.get("child input")).isEqualTo(seen.get("signal")).isEqualTo(seen.get("update"));
        assertThat(seen.get("step")).first().asString().contains("decimal=BigDecimal 1.10",
                "fine=BigDecimal 0.12345678901234567890", "double=BigDecimal 0.1", "long=Integer 5",
                "large=BigInteger 123456789012345678901234567890");
        assertThat(seen.get("typed")).containsExactly("money BigDecimal 1.10Integer 5");
        assertThat(seen.get("decimal")).containsExactly("BigDecimal 7.70");
    }

    /** Under one id only what is the same to the last digit is the same start. */
    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void amountsThatDifferInTheLastDigitAreNotTheSameStart(Databases.Kind kind) {
        Flow<BigDecimal, String> plain = Flow.named("plain", BigDecimal.class, String.class, (context, input) -> "x");
        try (Pawl pawl = open(kind.fresh(), 10, plain)) {
            pawl.start(plain, "w", new BigDecimal("1.000000000000000001"));
            pawl.start(plain, "w", new BigDecimal("1.0000000000000000010"));
            assertThatThrownBy(() -> pawl.start(plain, "w", new BigDecimal("1.000000000000000002")))
                    .hasFieldOrPropertyWithValue("code", "WorkflowIdConflict");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.Databases#all")
    void typeThatDoesNotComeBackIsRefusedAtItsFirstUse(Databases.Kind kind) throws Exception {
        Flow<Lossy, String> lossy = Flow.named("lossy", Lossy.class, String.class, (context, input) -> "x");
        Flow<String, String> steps = Flow.named("steps", String.class, String.class, (context, input) -> {
            String refused = "";
            try {
                context.step("shape", Shape.class, () -> new Square(4, 2));
            } catch (OperationFailed e) {
                refused += e.errorType() + " " + e.getMessage();
            }
            try {
                context.step("lossy", Lossy.class, () -> new Lossy(5));
            } catch (OperationFailed e) {
                refused += " " + e.getMessage();
            }
            return refused + context.step("set", new TypeRef<Set<String>>() {}, () -> Set.of("a", "b", "c", "d"))
                    .size();
        });
        Flow<String, String> inputs = Flow.named("inputs", String.class, String.class, (context, input) -> {
            context.onRollback("undo", () -> undone.add("undone"));
            return context.child(lossy, "never", new Lossy(5));
        });
        try (Pawl pawl = open(kind.fresh(), 10, lossy, steps, inputs)) {
            assertThatThrownBy(() -> pawl.start(lossy, "l", new Lossy(5)))
                    .hasFieldOrPropertyWithValue("code", "PayloadChanged").hasMessageContaining("Lossy");
            assertThat(pawl.start(steps, "s", "").result(SOON)).startsWith("dev.pawl.engine.flow.PayloadError ")
                    .contains("shape failed", "Square cannot be used as", "lossy failed", "not the same any more")
                    .endsWith("4");
            WorkflowHandle<String> handle = pawl.start(inputs, "i", "");
            await(() -> handle.status() == WorkflowStatus.PARKED);
            assertThat(handle.reason()).contains("PayloadChanged", "Lossy");
            assertThat(undone).isEmpty();
        }
    }
}
