package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.ParentEnd;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that a made-up flow does. Programs are lists of them: data, so that they can be run and reasoned about alike. */
public sealed interface Op {

    /** What goes wrong with something done to the outside world, apart from crashes. */
    enum Trouble {
        NONE,
        /** Nothing is done, the first time. */
        FAILS_ONCE,
        /** Nothing is done, the first two times. */
        FAILS_TWICE,
        FAILS_ALWAYS,
        /** It is done, but whoever asked does not hear of it, the first time. */
        LOSES_ANSWER,
        /** It is done, but so late that nobody waits any more, the first time. */
        COMES_LATE,
        /** Nobody hears of it the first time, and nobody can tell whether it was done. */
        CANNOT_BE_LOOKED_UP
    }

    /** A plain step. */
    record Step(String name, Trouble trouble, Duration takes) implements Op {
    }

    /** An activity with a promise, and perhaps with a compensation. */
    record Act(String name, Guarantee guarantee, Trouble trouble, Duration takes, @Nullable Compensation compensation)
            implements Op {
    }

    /** What takes an activity back, with a promise of its own. */
    record Compensation(Guarantee guarantee, Trouble trouble, Duration takes) {
    }

    /** What the worker does that an activity is handed to. */
    enum Worker {
        /** Does it, and says so. */
        COMPLETES,
        /** Does nothing, and says that it has failed. */
        FAILS,
        /** Does it, and says that it has failed. */
        FAILS_AFTERWARDS,
        /** Does it, and says nothing. */
        SAYS_NOTHING
    }

    /** An activity that a worker outside completes. */
    record Handed(String name, Guarantee guarantee, Worker worker) implements Op {
    }

    /** Statements in the engine's own database. */
    record Book(String name, Trouble trouble) implements Op {
    }

    record Sleep(Duration duration) implements Op {
    }

    /** Waits for a signal, for as long as it takes if there is no time-out. */
    record Signal(String topic, @Nullable Duration timeout) implements Op {
    }

    /** Branches side by side. */
    record All(List<List<Op>> branches) implements Op {
    }

    /** The same for each of some items, so many at a time. */
    record Each(int items, int atOnce, List<Op> body) implements Op {
    }

    record Race(List<List<Op>> branches) implements Op {
    }

    /**
     * Waits for one of two signals in a race, and for the other one after it.
     *
     * @param use what the first branch does with its signal before it returns; null if it returns at once. What it has used must not come
     *        again
     */
    record Rivals(String first, String second, @Nullable Step use) implements Op {
    }

    /** A cancellation does not reach it. */
    record Shielded(List<Op> body) implements Op {
    }

    /** Goes on if something in it fails. */
    record Try(List<Op> body) implements Op {
    }

    /** Something to be done if the flow comes to no good end. */
    record Undo(String name) implements Op {
    }

    /** Starts a workflow and waits for its result, or only for its existence. */
    record Child(String workflowId, boolean awaited) implements Op {
    }

    /** Starts a workflow, does something else, and waits for its result then. */
    record Later(String workflowId, ParentEnd onParentEnd, List<Op> meanwhile) implements Op {
    }

    /** Sets something to 1, 2 and so on, and perhaps takes it away in the end. */
    record Attribute(String name, int times, boolean removed) implements Op {
    }

    /** Asks whether the code was changed before the workflow came here. It never was. */
    record Patched(String change) implements Op {
    }

    /** Asks for the end of another workflow, or of its own. */
    record CancelOther(String workflowId) implements Op {
    }

    /** Tells another workflow something. */
    record Send(String workflowId, String topic, String payload) implements Op {
    }

    /** Chance that must be the same whenever the code runs. */
    record Uuid() implements Op {
    }

    /** The time, which must be the same whenever the code runs. */
    record Now() implements Op {
    }

    /** A step whose result is of a type that JSON does not have, and that the code does not name. */
    record Untyped(String name, int kind) implements Op {
    }

    /** A step whose result is of a class that is not the same in all processes. */
    record Stamp(String name) implements Op {
    }

    /** The flow fails here. */
    record Fail(String why) implements Op {
    }
}
