package dev.pawl.lab.example;

import dev.pawl.WorkflowHandle;
import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.TypeRef;
import dev.pawl.engine.flow.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Looks after the nodes of a cluster for as long as there is one. Jobs ask for nodes and give them back by updates, which run activities; a
 * job that asks for more than are free waits until another one has given some back. Every few health checks the workflow continues as new, so
 * that its record does not grow for ever.
 */
public final class ClusterManager {

    /** Signals: the cluster is there, and is not needed any more. */
    public static final String START = "start";
    public static final String STOP = "stop";

    /** Updates: a job asks for nodes, and gives them back. */
    public static final String ASSIGN = "assign";
    public static final String RELEASE = "release";

    private static final String FREED = "freed";

    /** What the cluster itself is asked to do. Each call may come twice, with the same words. */
    public interface Machines {

        void assign(String job, List<String> nodes);

        void release(String job, List<String> nodes);

        /** Those that do not answer. */
        List<String> bad(Set<String> nodes);
    }

    /**
     * All that is known of a cluster, which is what goes from one run to the next.
     *
     * @param jobs by node; the empty text for a node that is free
     * @param checks how many health checks there are in one run, and how long after each other
     */
    public record Cluster(boolean started, Map<String, String> jobs, Set<String> bad, int checks, Duration pause) {

        /** One that nobody has started yet. */
        public static Cluster of(int nodes, int checks, Duration pause) {
            Map<String, String> jobs = new TreeMap<>();
            IntStream.range(0, nodes).forEach(number -> jobs.put("node-" + number, ""));
            return new Cluster(false, jobs, Set.of(), checks, pause);
        }
    }

    /** So many nodes for a job. */
    public record Job(String name, int nodes) {
    }

    /** Nodes of a job. */
    public record Nodes(String job, List<String> names) {
    }

    /** What is left when a cluster is stopped. */
    public record Report(int assigned, int bad) {
    }

    /** The state of one run: the handlers and the main code change it, one at a time. */
    private static final class State {

        private final Map<String, String> jobs;
        private final Set<String> bad;
        private int waiting;

        State(Cluster cluster) {
            this.jobs = new TreeMap<>(cluster.jobs());
            this.bad = new TreeSet<>(cluster.bad());
        }

        List<String> of(String job) {
            return jobs.entrySet().stream().filter(each -> each.getValue().equals(job)).map(Map.Entry::getKey).toList();
        }

        List<String> free() {
            return of("").stream().filter(node -> !bad.contains(node)).toList();
        }
    }

    private final Activity<Nodes, String> assigning;
    private final Activity<Nodes, String> releasing;
    private final Activity<Set<String>, List<String>> checking;

    private final Flow<Cluster, Report> flow = Flow.named("cluster", Cluster.class, Report.class, this::manage);

    public ClusterManager(Machines machines) {
        this.assigning = Activity.named("assign", Nodes.class, String.class, (Nodes nodes) -> {
            machines.assign(nodes.job(), nodes.names());
            return "";
        }).guarantee(Guarantee.AT_LEAST_ONCE);
        this.releasing = Activity.named("release", Nodes.class, String.class, (Nodes nodes) -> {
            machines.release(nodes.job(), nodes.names());
            return "";
        }).guarantee(Guarantee.AT_LEAST_ONCE);
        this.checking = Activity.named("check", new TypeRef<List<String>>() {},
                (attempt, nodes) -> machines.bad(nodes));
    }

    public Flow<Cluster, Report> flow() {
        return flow;
    }

    private Report manage(FlowContext context, Cluster cluster) {
        State state = new State(cluster);
        if (!cluster.started()) {
            context.signal(START, String.class);
        }
        // Updates that come before that wait until there is a handler.
        context.onUpdate(ASSIGN, Job.class, Nodes.class, (handler, job) -> assign(handler, state, job),
                UpdateOptions.<Job>validatedBy(job -> refuseHopeless(state, job)).concurrent());
        context.onUpdate(RELEASE, String.class, Nodes.class, (handler, job) -> release(handler, state, job));
        context.onQuery("free", String.class, Integer.class, none -> state.free().size());
        for (int i = 0; i < cluster.checks(); i++) {
            state.bad.addAll(context.run(checking, state.jobs.keySet()));
            if (context.signal(STOP, String.class, cluster.pause()).arrived()) {
                context.awaitHandlers();
                return new Report(state.jobs.size() - state.of("").size(), state.bad.size());
            }
        }
        context.awaitHandlers();
        return context.continueAsNew(
                new Cluster(true, state.jobs, state.bad, cluster.checks(), cluster.pause()));
    }

    private static void refuseHopeless(State state, Job job) {
        int good = state.jobs.size() - state.bad.size();
        if (job.nodes() > good) {
            throw new IllegalArgumentException(job.name() + " asks for " + job.nodes() + " nodes of " + good);
        }
    }

    private Nodes assign(FlowContext handler, State state, Job job) {
        // Asked for under another id: the same answer.
        if (!state.of(job.name()).isEmpty()) {
            return new Nodes(job.name(), state.of(job.name()));
        }
        while (state.free().size() < job.nodes()) {
            state.waiting++;
            handler.signal(FREED, String.class);
            state.waiting--;
        }
        Nodes nodes = new Nodes(job.name(), state.free().subList(0, job.nodes()));
        // Before the activity, during which other handlers run.
        nodes.names().forEach(node -> state.jobs.put(node, job.name()));
        handler.run(assigning, nodes);
        return nodes;
    }

    private Nodes release(FlowContext handler, State state, String job) {
        Nodes nodes = new Nodes(job, state.of(job));
        handler.run(releasing, nodes);
        nodes.names().forEach(node -> state.jobs.put(node, ""));
        for (int i = state.waiting; i > 0; i--) {
            handler.signalTo(handler.workflowId(), FREED, job);
        }
        return nodes;
    }

    public static void main(String[] args) throws Exception {
        ClusterManager manager = new ClusterManager(new Machines() {

            @Override
            public void assign(String job, List<String> nodes) {
                System.out.println(job + " gets " + nodes);
            }

            @Override
            public void release(String job, List<String> nodes) {
                System.out.println(job + " gives back " + nodes);
            }

            @Override
            public List<String> bad(Set<String> nodes) {
                return List.of("node-3");
            }
        });
        Scratch.run(List.of(manager.flow()), pawl -> {
            WorkflowHandle<Report> cluster = pawl.start(manager.flow(), "cluster",
                    Cluster.of(8, 5, Duration.ofMillis(100)));
            cluster.signal(START, "");
            cluster.update(ASSIGN, new Job("train", 6), Nodes.class);
            Thread waiting = Thread.ofVirtual().start(() -> cluster.update(ASSIGN, new Job("index", 3), Nodes.class));
            cluster.update(RELEASE, "train", Nodes.class);
            waiting.join();
            cluster.signal(STOP, "");
            System.out.println(cluster.result() + " after " + cluster.runIds().size() + " run(s)");
        });
    }
}
