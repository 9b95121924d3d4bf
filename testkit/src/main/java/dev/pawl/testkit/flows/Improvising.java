package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.ParentEnd;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.testkit.flows.Op.Trouble;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import dev.pawl.testkit.scenario.Stimulus.Moment;
import dev.pawl.testkit.simulate.SimCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes up flows. Short ones: what goes wrong between two operations does not need a third. */
public final class Improvising {

    private static final int DEPTH_MAX = 2;

    private final RandomGenerator random;
    private final Map<String, List<Op>> programs = new TreeMap<>();
    private final List<Start> starts = new ArrayList<>();
    private final List<Stimulus> stimuli = new ArrayList<>();
    private int names;
    private String workflowId = "";
    private boolean child;

    private Improvising(RandomGenerator random) {
        this.random = random;
    }

    public static Troupe troupe(RandomGenerator random) {
        Improvising improvising = new Improvising(random);
        int flows = 1 + random.nextInt(2);
        for (int i = 0; i < flows; i++) {
            improvising.flow("flow-" + i);
        }
        return new Troupe(improvising.programs, improvising.starts, improvising.stimuli);
    }

    private void flow(String id) {
        workflowId = id;
        child = false;
        List<Op> program = body(0, 5);
        if (random.nextInt(6) == 0) {
            program.add(new Op.Fail("a bad end"));
        }
        programs.put(id, program);
        starts.add(new Start(id, Actor.FLOW, json(id)));
        if (random.nextInt(4) == 0) {
            stimulus(FlowControl.CANCEL_TOPIC, "stop-" + id, json("no longer wanted"));
        }
        int updates = random.nextInt(4);
        for (int i = 0; i < updates; i++) {
            stimulus(FlowControl.updateTopic(Actor.UPDATE), "update-" + id + "-" + i, json(1 + random.nextInt(9)));
        }
        if (random.nextInt(8) == 0) {
            stimuli.add(new Stimulus.Interrupt(id, Ending.interrupted("by an operator", false), Moment.WHEN_IDLE));
        }
    }

    private void stimulus(String topic, String signalId, Payload payload) {
        stimuli.add(new Stimulus.Signal(workflowId, topic, signalId, new Response.Final(payload),
                random.nextInt(3) == 0 ? Moment.AT_ONCE : Moment.WHEN_IDLE));
    }

    private static Payload json(Object value) {
        return SimCodec.INSTANCE.encode(value);
    }

    private List<Op> body(int depth, int most) {
        List<Op> ops = new ArrayList<>();
        int count = 1 + random.nextInt(most);
        for (int i = 0; i < count; i++) {
            ops.add(op(depth));
        }
        return ops;
    }

    private Op op(int depth) {
        int choice = random.nextInt(depth < DEPTH_MAX ? 28 : 18);
        return switch (choice) {
            case 0, 1, 2, 3 -> new Op.Step(name("s"), trouble(), takes());
            case 4, 5, 6, 7 -> act();
            case 8 -> random.nextBoolean() ? handed() : act();
            case 9 -> new Op.Book(name("b"), trouble());
            case 10 -> new Op.Sleep(Duration.ofMillis(random.nextInt(20_000)));
            case 11, 12 -> child ? new Op.Step(name("s"), Trouble.NONE, takes())
                    : random.nextInt(3) == 0 ? rivals() : signal(null);
            case 13 -> names % 3 == 2 ? new Op.Send(target(), "told", "by " + name("t")) : new Op.Undo(name("u"));
            case 14 -> value(random.nextBoolean());
            case 15, 16 -> new Op.Attribute(name("x"), 1 + random.nextInt(3), random.nextInt(3) == 0);
            case 17 -> random.nextInt(4) == 0 ? new Op.CancelOther("flow-" + random.nextInt(2))
                    : new Op.Patched(name("p"));
            case 18, 19 -> new Op.All(List.of(body(depth + 1, 2), body(depth + 1, 2)));
            case 20 -> each(depth);
            case 21, 22 -> new Op.Race(List.of(body(depth + 1, 2), body(depth + 1, 2)));
            case 23 -> new Op.Shielded(body(depth + 1, 2));
            case 24 -> new Op.Try(body(depth + 1, 2));
            case 25, 26 -> child ? new Op.Sleep(Duration.ofSeconds(1)) : child(depth);
            case 27 -> signal(Duration.ofMillis(500 + random.nextInt(20_000)));
            default -> throw new IllegalStateException("no such choice: " + choice);
        };
    }

    /** One that is there, one that may be, or none at all. */
    private String target() {
        return List.of("flow-0", "flow-1", "nobody").get(names / 3 % 3);
    }

    /** Something that must be the same in every run. Takes nothing more from chance: older seeds stay the runs they are. */
    private Op value(boolean first) {
        if (names % 2 == 0) {
            return first ? new Op.Uuid() : new Op.Now();
        }
        return first ? new Op.Untyped(name("v"), names / 2 % 4) : new Op.Stamp(name("k"));
    }

    private String name(String prefix) {
        return prefix + ++names;
    }

    private Duration takes() {
        return Duration.ofMillis((long) random.nextInt(2) * random.nextInt(2_000));
    }

    private Trouble trouble() {
        return switch (random.nextInt(10)) {
            case 0 -> Trouble.FAILS_ONCE;
            case 1 -> Trouble.FAILS_TWICE;
            case 2 -> Trouble.LOSES_ANSWER;
            case 3 -> random.nextInt(3) == 0 ? Trouble.FAILS_ALWAYS : Trouble.NONE;
            default -> Trouble.NONE;
        };
    }

    private Guarantee guarantee() {
        return List.of(Guarantee.AT_LEAST_ONCE, Guarantee.IDEMPOTENT, Guarantee.RECONCILED, Guarantee.RECONCILED,
                Guarantee.AT_MOST_ONCE).get(random.nextInt(5));
    }

    private Op act() {
        Guarantee guarantee = guarantee();
        Trouble trouble = trouble();
        if (trouble == Trouble.NONE && random.nextInt(8) == 0) {
            trouble = Trouble.COMES_LATE;
        } else if (guarantee == Guarantee.RECONCILED && random.nextInt(12) == 0) {
            trouble = Trouble.CANNOT_BE_LOOKED_UP;
        }
        return new Op.Act(name("a"), guarantee, trouble, takes(), random.nextInt(3) == 0 ? compensation() : null);
    }

    private Op.Compensation compensation() {
        return new Op.Compensation(guarantee(), trouble(), takes());
    }

    private Op handed() {
        return new Op.Handed(name("h"), guarantee(),
                List.of(Op.Worker.values()).get(random.nextInt(Op.Worker.values().length)));
    }

    /** For each wait a signal of its own; where there is a time-out it may come too late, or not at all. */
    private Op signal(@Nullable Duration timeout) {
        String topic = name("q");
        if (timeout == null || (!child && random.nextInt(4) != 0)) {
            stimulus(topic, "signal-" + topic, json("from outside " + topic));
        }
        return new Op.Signal(topic, timeout);
    }

    private Op rivals() {
        Op.Step use = random.nextBoolean() ? null : new Op.Step(name("s"), Trouble.NONE, takes());
        return new Op.Rivals(((Op.Signal) signal(null)).topic(), ((Op.Signal) signal(null)).topic(), use);
    }

    /** No signals in here: all items would wait for the same one. */
    private Op each(int depth) {
        boolean before = child;
        child = true;
        int items = 1 + random.nextInt(3);
        Op each = new Op.Each(items, 1 + random.nextInt(items), body(depth + 1, 2));
        child = before;
        return each;
    }

    private Op child(int depth) {
        List<Op> meanwhile = body(depth + 1, 2);
        String parent = workflowId;
        workflowId = parent + "." + name("c");
        child = true;
        programs.put(workflowId, body(DEPTH_MAX, 3));
        ParentEnd end = List.of(ParentEnd.values()).get(random.nextInt(3));
        Op op = random.nextInt(3) == 0 ? new Op.Child(workflowId, random.nextInt(3) != 0)
                : new Op.Later(workflowId, end, meanwhile);
        workflowId = parent;
        child = false;
        return op;
    }
}
