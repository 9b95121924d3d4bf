package dev.pawl.lab.torture;

import dev.pawl.engine.graph.Graph;
import dev.pawl.engine.world.Chance;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.ScenarioBuilder;
import dev.pawl.testkit.scenario.Stimulus.Moment;
import dev.pawl.testkit.scenario.Text;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What clients ask for under a seed: an endless row of small scenarios, each with ids of its own, the right end of which the
 * oracle knows. Both sides, the process that is killed and the one that judges it, make them from the number alone.
 */
record Load(long seed) {

    private static final int KINDS = 15;
    private static final int BULK_CHARACTERS_MAX = 40_000;

    /** The scenario a workflow belongs to. */
    static int number(String workflowId) {
        return Integer.parseInt(workflowId.substring(0, workflowId.indexOf('-')));
    }

    Scenario scenario(int number) {
        RandomGenerator random = Chance.ofSeed(seed * 1_000_003 + number);
        // Further on in the stream: neighbouring seeds begin alike.
        random.nextLong();
        String before = number + "-";
        String input = Integer.toHexString(random.nextInt());
        ScenarioBuilder scenario = Scenario.named("torture " + number).knows(Graphs.ALL.toArray(Graph[]::new));
        switch (random.nextInt(KINDS)) {
            case 0 -> start(scenario, before, Graphs.ORDER, input);
            case 1 -> start(scenario, before, Graphs.FAN, input);
            case 2 -> start(scenario, before, Graphs.LOOP, input);
            case 3 -> start(scenario, before, Graphs.NESTED, input);
            case 4 -> start(scenario, before, Graphs.FAMILY, input);
            case 5 -> start(scenario, before, Graphs.TREE, "x".repeat(random.nextInt(3)));
            case 6 -> signal(start(scenario, before, Graphs.APPROVED, input), before, Graphs.APPROVED, Graphs.APPROVAL,
                    "yes", random);
            case 7 -> {
                start(scenario, before, Graphs.PAIRED, input).loose(before + "paired");
                signal(scenario, before, Graphs.PAIRED, Graphs.PAIR, "one", random);
                signal(scenario, before, Graphs.PAIRED, Graphs.PAIR, "two", random);
            }
            case 8 -> start(start(scenario, before, Graphs.ECHO, ""), before, Graphs.PING, input);
            case 9 -> start(start(scenario, before, Graphs.WAITING, ""), before, Graphs.STOPPER, input)
                    .loose(before + "waiting");
            case 10 -> start(scenario, before, Graphs.WAITING, "").loose(before + "waiting")
                    .interrupt(before + "waiting", Graphs.ENOUGH, moment(random));
            case 11 -> start(scenario, before, Graphs.ENDING, input).loose(before + "ending",
                    before + "ending-child.0.0.0");
            case 12 -> start(scenario, before, random.nextBoolean() ? Graphs.MENDED : Graphs.FAILING, input);
            case 13 -> {
                String character = Character.toString('a' + random.nextInt(26));
                start(scenario, before, Graphs.BULK, character.repeat(random.nextInt(BULK_CHARACTERS_MAX)));
            }
            default -> {
                if (random.nextBoolean()) {
                    start(start(scenario, before, Graphs.WAITING, ""), before, Graphs.EVERYTHING, input)
                            .loose(before + "waiting");
                } else {
                    start(start(scenario, before, Graphs.HERD, ""), before, Graphs.SHOUT, input);
                    signal(scenario, before, Graphs.HERD, Graphs.HERD_TOPIC, Graphs.NEWS, random);
                }
            }
        }
        return scenario.build();
    }

    private static ScenarioBuilder start(ScenarioBuilder scenario, String before, Graph graph, String input) {
        return scenario.start(before + graph.name(), graph, input);
    }

    /** The id of the signal is its text, so that the two of a pair differ in both. */
    private static ScenarioBuilder signal(ScenarioBuilder scenario, String before, Graph graph, String topic,
            String text, RandomGenerator random) {
        return scenario.signal(before + graph.name(), topic, text, new Response.Final(Text.of(text)), moment(random));
    }

    private static Moment moment(RandomGenerator random) {
        return random.nextBoolean() ? Moment.AT_ONCE : Moment.WHEN_IDLE;
    }

    /** Everything an engine must know to run any of it. */
    static List<Graph> definitions() {
        return Graphs.ALL;
    }
}
