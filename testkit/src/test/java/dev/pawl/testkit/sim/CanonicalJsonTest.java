package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.world.Chance;
import dev.pawl.kernel.event.CanonicalJson;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Generator;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Scenarios;
import dev.pawl.testkit.simulate.SimPlan;
import dev.pawl.testkit.simulate.SimResult;
import dev.pawl.testkit.simulate.SimWorld;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel writes its JSON by hand; a library that somebody else wrote says whether it is the form of RFC 8785. */
class CanonicalJsonTest {

    private static Stream<Scenario> scenarios() {
        return Stream.concat(Scenarios.handWritten().stream(),
                LongStream.range(0, 50).mapToObj(seed -> Generator.scenario(Chance.ofSeed(seed))));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyEventOfARunIsCanonical(Scenario scenario) throws IOException {
        SimStore store = played(scenario);
        int events = 0;
        for (WorkflowRecord workflow : store.all()) {
            for (Event event : store.events(workflow.key(), 0, Integer.MAX_VALUE)) {
                assertCanonical(event.json());
                events++;
            }
        }
        assertThat(events).isPositive();
    }

    private static SimStore played(Scenario scenario) {
        AtomicReference<SimStore> used = new AtomicReference<>();
        SimResult result = new SimWorld(scenario, Chance.ofSeed(1), SimPlan.calm(Chance.ofSeed(2)),
                SimWorld.SETTINGS.withStepsApart(true), 1, Set.of(), (store, plan) -> {
                    used.set((SimStore) store);
                    return store;
                }).run();
        assertThat(result.violations()).isEmpty();
        return used.get();
    }

    @Test
    void everyCharacterIsCanonical() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            all.append((char) c).append('x');
        }
        assertCanonical(Json.object().put("all", all.toString()).end());
    }

    @Test
    void everythingThatCanStandSideBySideIsCanonical() throws IOException {
        String hard = "\"\\/\b\t\n\f\r\0\u001f\u007f\u0080\u2028\ud83d\ude00\ud83d\ude00\ud83d\ufeff'<&x";
        RandomGenerator random = Chance.ofSeed(1);
        for (int round = 0; round < 10_000; round++) {
            StringBuilder text = new StringBuilder();
            random.ints(1 + random.nextInt(8), 0, hard.length()).forEach(at -> text.append(hard.charAt(at)));
            assertCanonical(Json.object().put("a", text.toString()).put("b", 1).end());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1, 100_000_000_000_000_000L, (1L << 53) - 1, 1L << 53, (1L << 53) + 1, -(1L << 53),
        Long.MAX_VALUE, Long.MIN_VALUE})
    void everyNumberIsCanonical(long number) throws IOException {
        assertCanonical(Json.object().put("n", number).end());
    }

    /** Somebody else's JSON, in any order and spelling: the library makes the same of it. */
    @Test
    void whateverIsRespelledIsRespelledAsTheLibraryDoes() throws IOException {
        RandomGenerator random = Chance.ofSeed(7);
        for (int round = 0; round < 5_000; round++) {
            String json = value(random, 0);
            assertThat(CanonicalJson.of(json)).isEqualTo(new JsonCanonicalizer("[" + json + "]").getEncodedString()
                    .replaceAll("^\\[|]$", ""));
        }
    }

    @Test
    void everyNumberIsSpelledAsTheLibraryDoes() throws IOException {
        RandomGenerator random = Chance.ofSeed(8);
        for (int round = 0; round < 50_000; round++) {
            double number = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(number)) {
                String json = "[" + number + "]";
                assertThat(CanonicalJson.of(json)).isEqualTo(new JsonCanonicalizer(json).getEncodedString());
            }
        }
    }

    private static String value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth > 3 ? 5 : 7)) {
            case 0 -> new String[] {"true", "false", "null"}[random.nextInt(3)];
            case 1 -> String.valueOf(random.nextInt());
            case 2 -> String.valueOf(random.nextGaussian() * Math.pow(10, random.nextInt(-30, 30)));
            case 3, 4 -> string(random);
            case 5 -> IntStream.range(0, random.nextInt(4)).mapToObj(i -> value(random, depth + 1))
                    .collect(Collectors.joining(" ,\n", "[ ", "]"));
            default -> {
                Map<String, String> members = new LinkedHashMap<>();
                IntStream.range(0, random.nextInt(5))
                        .forEach(i -> members.putIfAbsent(string(random), value(random, depth + 1)));
                yield members.entrySet().stream().map(each -> each.getKey() + " :\t" + each.getValue())
                        .collect(Collectors.joining(" ,\r\n", "{ ", "}"));
            }
        };
    }

    /** No two texts that are written in different ways are the same text. */
    private static String string(RandomGenerator random) {
        String[] parts =
                {"a", "b", "\u00e9", "\u20ac", "\\u0000", "\\n", "\\\"", "\\\\", "\ud83d\ude00", "\ufb33", "1"};
        return IntStream.range(0, random.nextInt(4)).mapToObj(i -> parts[random.nextInt(parts.length)])
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static void assertCanonical(String json) throws IOException {
        assertThat(new JsonCanonicalizer(json).getEncodedString()).isEqualTo(json);
    }
}
