package dev.pawl.testkit.flows;

import dev.pawl.engine.Definition;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.DecisionKind;
import dev.pawl.engine.flow.FlowControl;
import dev.pawl.engine.flow.PayloadError;
import dev.pawl.engine.store.DecisionRecord;
import dev.pawl.engine.store.DecisionRequest;
import dev.pawl.engine.store.DecisionResult;
import dev.pawl.engine.store.SignalRequest;
import dev.pawl.engine.store.SignalResult;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.Waiting;
import dev.pawl.engine.task.FlowHost;
import dev.pawl.engine.task.ProcessLease;
import dev.pawl.engine.task.Submission;
import dev.pawl.engine.task.Task;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.Snapshot;
import dev.pawl.kernel.workflow.WorkflowRecord;
import dev.pawl.testkit.scenario.Effect;
import dev.pawl.testkit.scenario.Scenario;
import dev.pawl.testkit.scenario.Start;
import dev.pawl.testkit.scenario.Stimulus;
import dev.pawl.testkit.simulate.Play;
import dev.pawl.testkit.simulate.SimCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Made-up flows in a simulated world. */
final class FlowPlay implements Play {

    private static final String VERSION = "1";
    private static final String TRIGGER = "start";

    private final Troupe troupe;
    private final Outside outside;
    private final int waitingMax;
    private final FlowBug bug;
    private boolean readsAll;

    FlowPlay(Troupe troupe, Store store, int waitingMax, FlowBug bug) {
        this.troupe = troupe;
        this.outside = new Outside(store);
        this.waitingMax = waitingMax;
        this.bug = bug;
    }

    /**
     * A worker does what it was handed, or a person who can see what has happened says so; and whatever has not happened ends the workflow.
     */
    @Override
    public boolean decide(Store store, RandomGenerator random, Instant now) {
        if (outside.workers().work(store, random, now)) {
            return true;
        }
        List<Waiting> open = store.awaiting(Scenario.NAMESPACE, FlowControl.DECIDE_TOPIC, null, 10).items();
        if (open.isEmpty()) {
            return mend(store, now);
        }
        Waiting asked = open.get(random.nextInt(open.size()));
        String wait = asked.activity().activity();
        String operation = wait.substring(wait.indexOf(':') + 1);
        boolean happened = outside.times(new Outside.Place(asked.workflow().workflowId(), operation)) > 0;
        DecisionKind kind = happened ? DecisionKind.ACCEPT : DecisionKind.ABORT;
        Payload decision = FlowControl.decision(kind,
                happened ? SimCodec.INSTANCE.encode(Deed.value(operation)) : null, "somebody", "", now);
        SignalRequest told = new SignalRequest(asked.workflow(), FlowControl.DECIDE_TOPIC + wait, "decision", true,
                new Response.Final(decision), now, now.plus(Duration.ofDays(1)));
        return store.decide(new DecisionRequest(
                new DecisionRecord(asked.workflow(), wait, kind.text(), "somebody", "", now, Payload.EMPTY),
                new DecisionRequest.Told(told))) instanceof DecisionResult.Decided;
    }

    /** Code is deployed that reads what all others have written, and whatever is parked is tried once more. */
    private boolean mend(Store store, Instant now) {
        boolean any = false;
        for (WorkflowRecord workflow : store.parked(Scenario.NAMESPACE, null, 10).items()) {
            String held = workflow.reason() == null ? null : FlowControl.heldBy(workflow.reason());
            if (PayloadError.UNREADABLE.equals(held)) {
                readsAll = true;
                SignalResult sent = store.signal(new SignalRequest(workflow.key(), FlowControl.RETRY_TOPIC, "mended",
                        true, new Response.Final(FlowControl.decision(DecisionKind.RETRY, null, "somebody", "", now)),
                        now, now.plus(Duration.ofDays(1))));
                any |= sent instanceof SignalResult.Accepted;
            }
        }
        return any;
    }

    @Override
    public boolean flows() {
        return true;
    }

    /** No flow sleeps for longer than some seconds, but the clock of an engine may be an hour behind that of another. */
    @Override
    public int calmStepsMax() {
        return 200_000;
    }

    @Override
    public List<Definition> definitions(Site site) {
        return List.of(new Actor(troupe, outside, site, deployment(site), bug).flow);
    }

    @Override
    public Codec codec(Site site) {
        return deployment(site);
    }

    /** Processes that come one after the other have not the same code. */
    private Deployment deployment(Site site) {
        return new Deployment(Math.floorMod(site.name().hashCode(), 2), () -> readsAll);
    }

    @Override
    public List<Start> starts() {
        return troupe.starts();
    }

    @Override
    public List<Stimulus> stimuli() {
        return troupe.stimuli();
    }

    @Override
    public Message.Start message(Start start) {
        return new Message.Start(Scenario.key(start.workflowId()),
                new Message.Beginning(Scenario.GROUP, Actor.FLOW, VERSION, TRIGGER, 0, start.input(), null),
                List.of(Sayings.BORN));
    }

    @Override
    public Response answer(Task task) {
        throw new IllegalStateException("flows hand out no tasks: " + task);
    }

    @Override
    public List<String> violations() {
        return outside.violations();
    }

    @Override
    public int waitingMax() {
        return waitingMax;
    }

    @Override
    public Consumer<Submission> submitting(Consumer<Submission> engine) {
        return bug.submitting(engine);
    }

    @Override
    public ProcessLease lease(ProcessLease engine) {
        return bug.lease(engine);
    }

    @Override
    public Definition asked(Definition definition) {
        return bug.asked(definition);
    }

    @Override
    public FlowHost host(FlowHost runtime) {
        return bug.host(runtime);
    }

    @Override
    public List<String> differences(List<Snapshot> ends, List<Effect> effects) {
        Map<String, Snapshot> byId = new TreeMap<>();
        ends.forEach(end -> byId.put(Objects.requireNonNull(end.workflow()).key().workflowId(), end));
        List<String> differences = new ArrayList<>();
        byId.forEach((id, end) -> differences
                .addAll(new Critic(outside, byId, end).judge(troupe.program(id))));
        byId.forEach((id, end) -> differences.addAll(new EffectCritic(outside, end, outside.effects(id)).judge()));
        return differences;
    }
}
