package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.ActivityContext;
import dev.pawl.engine.flow.Branch;
import dev.pawl.engine.flow.ChildHandle;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.Limit;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.RetryPolicy;
import dev.pawl.engine.flow.TypeRef;
import dev.pawl.engine.flow.Undo;
import dev.pawl.engine.flow.WhenUnknown;
import dev.pawl.testkit.flows.Op.Trouble;
import dev.pawl.testkit.sim.SimRows;
import dev.pawl.testkit.simulate.Play;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs programs as flows, in one process. The same code for all of them: which program it is follows from the workflow's id. */
final class Actor {

    static final String FLOW = "made-up";
    static final String UPDATE = "add";
    static final String HANDLER_STEP = "handle";
    static final String NOTHING = "nothing came";
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** So small that branches get in each other's way. */
    static final String POOL = "narrow";
    static final int POOL_MAX = 1;

    /** What the ids of compensations begin with. */
    static final String UNDO = "~undo:";

    private static final TypeRef<String> STRING = new TypeRef<>() {};
    static final RetryPolicy RETRY = new RetryPolicy(3, Duration.ofMillis(500), 2.0, Duration.ofSeconds(5));

    private final Troupe troupe;
    private final Outside outside;
    private final Play.Site site;
    private final Deployment deployment;
    private final FlowBug bug;
    final Flow<String, String> flow;

    Actor(Troupe troupe, Outside outside, Play.Site site, Deployment deployment, FlowBug bug) {
        this.deployment = deployment;
        this.troupe = troupe;
        this.outside = outside;
        this.site = site;
        this.bug = bug;
        this.flow = Flow.named(FLOW, String.class, String.class, this::perform);
    }

    private String perform(FlowContext context, String input) throws Exception {
        AtomicLong sum = new AtomicLong();
        context.onUpdate(UPDATE, Integer.class, Long.class, (handler, added) -> add(handler, sum, added));
        String result = run(context, Naming.root(), troupe.program(context.workflowId()));
        return result + " sum=" + sum.get();
    }

    /** Some only add; some do something first, and wait. Each adds to what all before it have left. */
    private long add(FlowContext handler, AtomicLong sum, int added) throws Exception {
        if (added % 2 == 0) {
            handler.step(HANDLER_STEP, String.class, () -> {
                site.threads().pass(Duration.ofMillis(100L * added));
                return "handled";
            });
        }
        if (added % 3 == 0) {
            handler.sleep(Duration.ofMillis(200L * added));
        }
        return sum.addAndGet(added);
    }

    private String run(FlowContext context, Naming naming, List<Op> ops) throws Exception {
        List<@Nullable String> values = new ArrayList<>();
        for (Op op : ops) {
            values.add(run(context, naming, op));
        }
        return values.toString();
    }

    private @Nullable String run(FlowContext context, Naming naming, Op op) throws Exception {
        return switch (op) {
            case Op.Step step -> {
                Deed deed = deed(context, naming, step.name(), Guarantee.AT_LEAST_ONCE, step.trouble(),
                        step.takes(), true);
                yield context.step(step.name(), String.class, RETRY, () -> deed.attempt(0, ""));
            }
            case Op.Act act -> act(context, naming, act);
            case Op.Handed handed -> handed(context, naming, handed);
            case Op.Book book -> {
                Outside.Place place = new Outside.Place(context.workflowId(), naming.id(book.name()));
                naming.done(place.id());
                yield context.transaction(book.name(), String.class,
                        connection -> outside.book(site, place, book.trouble(), connection.unwrap(SimRows.class)));
            }
            case Op.Sleep sleep -> {
                naming.id("sleep");
                context.sleep(sleep.duration());
                yield "slept";
            }
            case Op.Signal signal -> {
                naming.id(signal.topic());
                yield signal.timeout() == null ? context.signal(signal.topic(), String.class)
                        : context.signal(signal.topic(), String.class, signal.timeout()).orElse(NOTHING);
            }
            case Op.All all -> {
                String fork = naming.id("all");
                yield context.parallel(branches(naming, fork, all.branches())).toString();
            }
            case Op.Each each -> {
                String fork = naming.id("map");
                yield context.<Integer, String>map(IntStream.range(0, each.items()).boxed().toList(), each.atOnce(),
                        (branch, item) -> run(branch, naming.branch(fork, item), each.body())).toString();
            }
            case Op.Race race -> {
                String fork = naming.id("race");
                yield context.<String>race(branches(naming, fork, race.branches()));
            }
            case Op.Rivals rivals -> rivals(context, naming, rivals);
            case Op.Shielded shielded -> {
                Naming inner = naming.shielded(naming.id("shielded"));
                yield context.<String>shielded(branch -> run(branch, inner, shielded.body()));
            }
            case Op.Try attempt -> {
                try {
                    yield run(context, naming, attempt.body());
                } catch (OperationFailed e) {
                    yield "caught " + e.operation();
                }
            }
            case Op.Undo undo -> {
                String id = naming.path() + undo.name();
                context.onRollback(undo.name(), () -> undo(context, id));
                yield "armed";
            }
            case Op.Child child -> child(context, naming, child);
            case Op.Later later -> {
                naming.id(FLOW);
                ChildHandle<String> child = context.start(flow, later.workflowId(), later.workflowId(),
                        later.onParentEnd());
                String meanwhile = run(context, naming, later.meanwhile());
                yield meanwhile + child.result();
            }
            case Op.Attribute attribute -> attribute(context, naming, attribute);
            case Op.Patched patched -> String.valueOf(context.patched(patched.change()));
            case Op.CancelOther other -> {
                naming.id("cancel");
                context.cancelOther(other.workflowId(), "by another");
                yield "asked";
            }
            case Op.Send send -> {
                naming.id("signal-to");
                context.signalTo(send.workflowId(), send.topic(), send.payload());
                yield "sent";
            }
            case Op.Uuid uuid -> outside.same(site, new Outside.Place(context.workflowId(), naming.own("uuid")),
                    context.uuid().toString());
            case Op.Now now -> {
                naming.own("now");
                yield context.now().toString();
            }
            case Op.Untyped untyped -> untyped(context, naming.id(untyped.name()), untyped);
            case Op.Stamp stamp -> bug.stamped(context, deployment, stamp.name(),
                    Deed.value(naming.id(stamp.name())));
            case Op.Fail fail -> throw new IllegalStateException(fail.why());
        };
    }

    /** What the code sees must be the same in every run, and so must be its class. */
    private String untyped(FlowContext context, String id, Op.Untyped untyped) {
        Object[] written = new Object[1];
        Object seen = context.step(untyped.name(), Object.class, () -> {
            written[0] = value(untyped.kind());
            return written[0];
        });
        Object value = bug.seen(written[0], seen);
        return outside.same(site, new Outside.Place(context.workflowId(), id),
                value.getClass().getSimpleName() + " " + value);
    }

    /** Of classes that nothing in JSON tells of. */
    private static Object value(int kind) {
        return switch (kind) {
            case 0 -> new BigDecimal("1.10");
            case 1 -> 5L;
            case 2 -> 0.5f;
            default -> new int[] {1, 2};
        };
    }

    /** What a branch has not used when it loses, the code gets afterwards; it does not wait for ever for what may have been used. */
    private String rivals(FlowContext context, Naming naming, Op.Rivals rivals) {
        String fork = naming.id("race");
        Op.Step use = rivals.use();
        int winner = context.<Integer>race(List.of(branch -> {
            branch.signal(rivals.first(), String.class);
            if (use != null) {
                run(branch, naming.branch(fork, 0), use);
            }
            return 0;
        }, branch -> {
            branch.signal(rivals.second(), String.class);
            return 1;
        }));
        String other = winner == 0 ? rivals.second() : rivals.first();
        naming.id(other);
        return winner + (use == null || winner == 0 ? context.signal(other, String.class)
                : context.signal(other, String.class, TIMEOUT).orElse(NOTHING));
    }

    private List<Branch<String>> branches(Naming naming, String fork, List<List<Op>> bodies) {
        List<Branch<String>> branches = new ArrayList<>();
        for (int i = 0; i < bodies.size(); i++) {
            int item = i;
            branches.add(branch -> run(branch, naming.branch(fork, item), bodies.get(item)));
        }
        return branches;
    }

    private String act(FlowContext context, Naming naming, Op.Act act) {
        Deed deed = deed(context, naming, act.name(), act.guarantee(), act.trouble(), act.takes(),
                act.guarantee() == Guarantee.AT_LEAST_ONCE && act.compensation() == null);
        Activity<String, String> activity = Activity
                .named(act.name(), String.class, String.class,
                        (ActivityContext attempt, String input) -> deed.attempt(attempt.attempt(),
                                attempt.idempotencyKey()))
                .guarantee(bug.declared(act.guarantee())).retry(RETRY).timeout(TIMEOUT)
                .whenUnknown(asks(act) ? WhenUnknown.ASK : WhenUnknown.FAIL);
        if (act.guarantee() == Guarantee.RECONCILED) {
            activity = activity.verify(bug.verifier((key, input) -> deed.verify()));
        }
        if (limited(act)) {
            activity = activity.limit(Limit.concurrent(POOL, POOL_MAX)).fairBy(input -> context.workflowId());
        }
        if (act.compensation() != null) {
            activity = activity.compensateWith(compensation(act, act.compensation(), deed.place()));
        }
        return context.run(activity, "for " + act.name());
    }

    private Activity<Undo<String, String>, String> compensation(Op.Act act, Op.Compensation compensation,
            Outside.Place place) {
        Deed deed = new Deed(outside, site, new Outside.Place(place.workflowId(), UNDO + place.id()), null,
                compensation.guarantee(), compensation.trouble(), compensation.takes(), false);
        Activity<Undo<String, String>, String> activity = Activity
                .<Undo<String, String>, String>named("undo-" + act.name(), STRING, (attempt, undo) -> {
                    outside.undone(site, place);
                    return deed.attempt(attempt.attempt(), attempt.idempotencyKey());
                }).guarantee(bug.compensating(bug.declared(compensation.guarantee()))).retry(RETRY).timeout(TIMEOUT)
                .whenUnknown(asks(act) ? WhenUnknown.ASK : WhenUnknown.FAIL);
        return compensation.guarantee() == Guarantee.RECONCILED
                ? activity.verify((key, undo) -> deed.verify())
                : activity;
    }

    private String handed(FlowContext context, Naming naming, Op.Handed handed) {
        Deed deed = deed(context, naming, handed.name(), handed.guarantee(), Trouble.NONE, Duration.ZERO,
                false);
        Activity<String, String> activity = Activity
                .named(handed.name(), String.class, String.class,
                        (ActivityContext attempt, String input) -> deed.handOver(attempt.attempt(),
                                attempt.idempotencyKey(), attempt.token(), handed.worker()))
                .guarantee(bug.declared(handed.guarantee())).retry(RETRY).timeout(TIMEOUT).completedElsewhere();
        if (handed.guarantee() == Guarantee.RECONCILED) {
            activity = activity.verify(bug.verifier((key, input) -> deed.verify()));
        }
        return context.run(activity, "for " + handed.name());
    }

    /** Whether a person is asked when nobody can tell; of every other one. */
    static boolean asks(Op.Act act) {
        return act.name().hashCode() % 2 == 0;
    }

    /** Whether it has to wait for a slot; every third one. */
    private static boolean limited(Op.Act act) {
        return act.name().hashCode() % 3 == 0;
    }

    private Deed deed(FlowContext context, Naming naming, String name, Guarantee guarantee, Trouble trouble,
            Duration takes, boolean plain) {
        String before = naming.last();
        String id = naming.id(name);
        naming.done(id);
        return new Deed(outside, site, new Outside.Place(context.workflowId(), id), before, guarantee, trouble, takes,
                plain);
    }

    private void undo(FlowContext context, String id) throws InterruptedException {
        site.threads().pass(Duration.ZERO);
        outside.undone(site, new Outside.Place(context.workflowId(), id));
    }

    /** For each place one of its own: in which order branches come to it is a matter of chance. */
    static String attribute(Naming naming, Op.Attribute attribute) {
        return attribute.name() + "." + Integer.toHexString(naming.path().hashCode());
    }

    private static String attribute(FlowContext context, Naming naming, Op.Attribute attribute) {
        String name = attribute(naming, attribute);
        for (int value = 1; value <= attribute.times(); value++) {
            naming.id("attribute");
            context.attribute(name, value);
        }
        if (attribute.removed()) {
            naming.id("attribute");
            context.removeAttribute(name);
        }
        return "said";
    }

    private @Nullable String child(FlowContext context, Naming naming, Op.Child child) {
        naming.id(FLOW);
        if (child.awaited()) {
            return context.child(flow, child.workflowId(), child.workflowId());
        }
        context.startChild(flow, child.workflowId(), child.workflowId());
        return "started";
    }
}
