package dev.pawl.testkit.scenario;

import static dev.pawl.testkit.scenario.Parts.BEGIN;
import static dev.pawl.testkit.scenario.Parts.QUEUE;
import static dev.pawl.testkit.scenario.Parts.round;
import static dev.pawl.testkit.scenario.Parts.say;

import dev.pawl.engine.graph.Data;
import dev.pawl.engine.graph.Graph;
import dev.pawl.testkit.scenario.Pencil.End;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** One generated graph, drawn block by block from its trigger on. */
final class GraphSketch {

    private static final int GENERATIONS_MAX = 2;

    private final Surroundings around;
    private final RandomGenerator random;
    private final int generation;
    private final boolean mayEnd;
    private final Pencil pencil;
    private final Blocks blocks;
    private final List<String> hooks = new ArrayList<>();
    /** Whether there is another path beside the main one, so that something may race it to the end. */
    private boolean branched;
    /** Whether other workflows hear of this one: then it must not be left to a race what is sent. */
    private boolean sends;
    private boolean racy;

    private enum Place {
        /** On the path that every workflow walks, once. */
        MAIN,
        /** In rounds, or beside the main path. */
        ASIDE,
        /** In a branch that must come to its join, or the workflow fails. */
        JOINING
    }

    private enum Block {
        WORK, WORK_AGAIN, SLEEP, PASS, TALK, HOOK, TELL, SHOUT, STOP, MEND, CHILD, FORK, ROUNDS, BRANCH
    }

    /** {@code mayEnd} lets it end before its time. */
    GraphSketch(Surroundings around, String name, int nodes, int generation, boolean mayEnd) {
        this.around = around;
        this.random = around.random();
        this.generation = generation;
        this.mayEnd = mayEnd;
        this.pencil = new Pencil(Parts.graph(name), nodes);
        this.blocks = new Blocks(pencil, around, random);
    }

    /** The topics on which the main path waits for a signal from outside. */
    List<String> hooks() {
        return hooks;
    }

    /** Whether something may still be open when the workflow ends before its time. */
    boolean racy() {
        return racy;
    }

    Graph draw() {
        tail(End.of(BEGIN));
        return pencil.graph.build();
    }

    /** The rest of the main path: more blocks, or two ways to choose from, or an end before its time. */
    private void tail(End start) {
        End end = start;
        while (pencil.left > 0) {
            if (pencil.left > 3 && random.nextInt(8) == 0) {
                choose(end);
                return;
            }
            end = block(end, Place.MAIN);
        }
        if (mayEnd && (!branched || (!sends && generation == 0))) {
            racy |= branched;
            blocks.end(end);
        } else {
            pencil.plain(end);
        }
    }

    private void choose(End end) {
        String from = pencil.plain(end);
        int modulus = random.nextInt(2, 4);
        Predicate<Data> condition = data -> Text.in(data.output()).hashCode() % modulus == 0;
        int left = pencil.left;
        pencil.left = left / 2;
        tail(new End(from, condition, false));
        pencil.left = left - left / 2;
        tail(new End(from, condition.negate(), false));
    }

    private End block(End end, Place place) {
        Block block = Block.values()[random.nextInt(Block.values().length)];
        return switch (block) {
            case WORK, WORK_AGAIN -> blocks.work(end);
            case SLEEP -> blocks.sleep(end);
            case PASS -> blocks.pass(end);
            case TALK -> blocks.talk(end);
            case HOOK -> hook(end, place);
            case TELL -> sending(blocks.tell(end));
            case SHOUT -> sending(blocks.shout(end));
            // Seldom, because nobody knows how far the victim has come when it ends.
            case STOP -> random.nextInt(4) == 0 ? sending(blocks.stop(end)) : blocks.work(end);
            case MEND -> blocks.mend(end);
            case CHILD -> generation < GENERATIONS_MAX && pencil.left > 3 ? child(end, place) : blocks.work(end);
            case FORK -> pencil.left > 4 ? fork(end) : blocks.pass(end);
            case ROUNDS -> pencil.left > 3 ? rounds(end, place) : blocks.work(end);
            case BRANCH -> pencil.left > 3 ? branch(end) : blocks.sleep(end);
        };
    }

    private End sending(End end) {
        sends = true;
        return end;
    }

    /** From outside comes one signal only, so it waits where it is walked by once. */
    private End hook(End end, Place place) {
        if (place != Place.MAIN || generation > 0) {
            return blocks.talk(end);
        }
        End hook = blocks.hook(end);
        hooks.add(hook.from());
        return hook;
    }

    /** A child that may fail has an error edge, unless nothing would race the failure to the end. */
    private End child(End end, Place place) {
        sends = true;
        boolean mayFail = place != Place.JOINING && random.nextBoolean();
        int nodes = random.nextInt(pencil.left);
        pencil.left -= nodes / 2;
        String node = blocks.child(end, around.child(nodes, generation + 1, mayFail), random.nextInt(4) > 0);
        if (mayFail && (!mayEnd || branched || place != Place.MAIN || random.nextBoolean())) {
            pencil.worker(End.onFailureOf(node), QUEUE);
        }
        return End.of(node);
    }

    /** Several branches, and a worker that is given what all of them have come to. */
    private End fork(End end) {
        String from = pencil.plain(end);
        int branches = random.nextInt(2, 5);
        String[] ends = Stream.generate(() -> pencil.plain(some(End.of(from), Place.JOINING)))
                .limit(branches).toArray(String[]::new);
        String join = pencil.worker(End.of(ends[0]), QUEUE);
        Stream.of(ends).skip(1).forEach(last -> pencil.graph.edge(last, join));
        pencil.graph.input(join, Parts.all(ends));
        return End.of(join);
    }

    /** A pivot, some blocks, and a cycle back to it until the rounds are through. */
    private End rounds(End end, Place place) {
        int count = random.nextInt(1, 5);
        String pivot = pencil.node(end);
        pencil.graph.pivot(pivot).input(pivot, say("0"));
        String last = pencil.plain(some(End.of(pivot), place == Place.JOINING ? place : Place.ASIDE));
        String cycle = pencil.node(new End(last, data -> round(data, pivot) < count - 1, false));
        pencil.graph.cycle(cycle, pivot, data -> Text.of(String.valueOf(round(data, pivot) + 1)));
        return new End(last, data -> round(data, pivot) == count - 1, false);
    }

    /** A branch that meets nobody. */
    private End branch(End end) {
        String from = pencil.plain(end);
        branched = true;
        pencil.plain(some(End.of(from), Place.ASIDE));
        return End.of(from);
    }

    private End some(End start, Place place) {
        End end = blocks.work(start);
        for (int more = random.nextInt(3); more > 0 && pencil.left > 0; more--) {
            end = block(end, place);
        }
        return end;
    }
}
