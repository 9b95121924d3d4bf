package dev.pawl.lab.bench;

import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.graph.GraphBuilder;
import dev.pawl.engine.world.Chance;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Generator;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Scenarios;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What is recorded. Every recording of one workload is the same, on every machine. */
enum Workload {
    /** Transitions of seven writes, all alike: see {@link SevenWrites}. */
    SEVEN {
        @Override
        LongFunction<Story> stories(Scene scene) {
            return number -> new SevenWrites(new WorkflowKey(Scenario.NAMESPACE, scene.id(number)), scene.group(),
                    scene.payloadBytes(), scene.random(), NOW);
        }
    },
    /** Workflows of ten steps, one worker after the other. */
    STEPS {
        @Override
        LongFunction<Story> stories(Scene scene) {
            Scenario scenario = steps(scene);
            return number -> new ScenarioStory(scenario, scene.group(), scene.id(number) + "-",
                    scene.inboxIds(), NOW);
        }
    },
    /** The scenarios of the testkit, those that people thought of and generated ones. */
    SCENARIOS {
        @Override
        LongFunction<Story> stories(Scene scene) {
            List<Scenario> scenarios = Stream.concat(
                    Scenarios.handWritten().stream().filter(scenario -> scenario.starts().size() <= STARTS_MAX),
                    LongStream.range(0, GENERATED).mapToObj(seed -> Generator.scenario(Chance.ofSeed(seed)))).toList();
            return number -> new ScenarioStory(scenarios.get((int) (number % scenarios.size())), scene.group(),
                    scene.id(number) + "-", scene.inboxIds(), NOW);
        }
    };

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final int STEPS_COUNT = 10;
    private static final int GENERATED = 200;
    private static final int STARTS_MAX = 100;

    /** What a recording is made for. */
    record Scene(String group, int payloadBytes, RandomGenerator random, LongSupplier inboxIds) {

        /** Groups share a namespace, so ids must not be the same in two of them. */
        private String id(long number) {
            return group + "-" + number;
        }
    }

    /** The story with a number, from 0 on. */
    abstract LongFunction<Story> stories(Scene scene);

    /** Whether a store can be foreseen to number inbox messages as recorded although several shards post at once. */
    boolean runsInParallel() {
        return this != SCENARIOS;
    }

    private static Scenario steps(Scene scene) {
        GraphBuilder graph = Graph.named("ten-steps", "1").trigger("begin");
        String before = "begin";
        for (int i = 1; i <= STEPS_COUNT; i++) {
            String step = "step-" + i;
            graph.worker(step, "queue", Duration.ofMinutes(5)).edge(before, step);
            before = step;
        }
        byte[] answer = new byte[scene.payloadBytes()];
        scene.random().nextBytes(answer);
        Response response = new Response.Final(Payload.of(answer));
        return Scenario.named("ten steps").start("w", graph.build(), "order")
                .workers((queue, activity, input) -> response).build();
    }
}
