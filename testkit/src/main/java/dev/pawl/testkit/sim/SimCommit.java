package dev.pawl.testkit.sim;

import dev.pawl.engine.store.Commit;
import dev.pawl.engine.store.Fence;
import dev.pawl.engine.store.Rejection;
import dev.pawl.engine.store.ShardId;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The bundles of one batch, applied in order to one transaction. */
final class SimCommit {

    private final SimTables tables;
    private final Set<Flaw> flaws;
    private final Fence fence;
    private final List<Bundle> bundles;

    SimCommit(SimTables tables, Set<Flaw> flaws, Fence fence, List<Bundle> bundles) {
        this.tables = tables;
        this.flaws = flaws;
        this.fence = fence;
        this.bundles = bundles;
    }

    Commit run() {
        SimTransaction transaction = new SimTransaction(tables);
        List<Commit.Applied> outcomes = new ArrayList<>();
        for (int i = 0; i < bundles.size(); i++) {
            boolean first = bundles.get(i).workflow().equals(bundles.getFirst().workflow());
            if (flaws.contains(Flaw.WRITES_FIRST_WORKFLOW_ONLY) && !first) {
                outcomes.add(new Commit.Applied(bundles.get(i).workflow(), bundles.get(i).expectedVersion() + 1, null,
                        List.of()));
                continue;
            }
            try {
                outcomes.add(apply(transaction, i));
            } catch (Refused refused) {
                return rejected(transaction, i, refused.why);
            }
        }
        if (flaws.contains(Flaw.REVERSES_POSTS)) {
            transaction.reversePosts();
        }
        transaction.install();
        return new Commit.Committed(outcomes);
    }

    private Commit rejected(SimTransaction transaction, int bundle, Rejection why) {
        if (flaws.contains(Flaw.KEEPS_PREFIX)) {
            transaction.install();
        }
        if (flaws.contains(Flaw.KEEPS_REFUSED_ACCEPTANCE)) {
            acceptAnyway();
        }
        if (flaws.contains(Flaw.ACKNOWLEDGES_FIRST)) {
            bundles.forEach(each -> each.writes().forEach(write -> acknowledgeAnyway(each.workflow(), write)));
        }
        return new Commit.Rejected(bundle, why);
    }

    /** Also what the store would have come to after the bundle that was refused. */
    void acceptAnyway() {
        SimTransaction apart = new SimTransaction(tables);
        SimSignals signals = new SimSignals(tables, flaws);
        for (Bundle bundle : bundles) {
            SimWorkflow workflow = tables.workflows.get(bundle.workflow());
            bundle.writes().forEach(write -> {
                if (write instanceof Write.Accept accept && workflow != null) {
                    apart.accept(signals, workflow, accept);
                }
            });
        }
        apart.installAcceptances();
    }

    private void acknowledgeAnyway(WorkflowKey key, Write write) {
        SimWorkflow workflow = tables.workflows.get(key);
        if (write instanceof Write.Acknowledge acknowledge) {
            switch (acknowledge.place()) {
                case Delivery.Place.Inbox inbox -> tables.inbox.remove(inbox.id());
                case Delivery.Place.Row row -> {}
                case Delivery.Place.Queue queue -> {
                    if (workflow != null) {
                        workflow.queue.remove(queue.number());
                    }
                }
            }
        }
    }

    private Commit.Applied apply(SimTransaction transaction, int index) {
        Bundle bundle = bundles.get(index);
        SimWorkflow workflow = transaction.workflow(bundle.workflow());
        ShardId home = workflow == null ? transaction.home(bundle) : workflow.shard;
        if (home != null && !home.equals(fence.shard()) && !bundle.inboxOnly() && !flaws.contains(Flaw.SKIPS_SHARD)) {
            throw new Refused(new Rejection.WrongShard(home));
        }
        long version = workflow == null ? 0 : workflow.row.version();
        if (!bundle.inboxOnly() && version != bundle.expectedVersion() && !flaws.contains(Flaw.SKIPS_VERSION)) {
            boolean start = bundle.creates();
            throw new Refused(start ? new Rejection.WorkflowExists()
                    : new Rejection.VersionConflict(bundle.expectedVersion(), version));
        }
        return new SimBundle(transaction, flaws, fence.shard(), bundle, lastOfItsWorkflow(index)).apply();
    }

    private boolean lastOfItsWorkflow(int index) {
        return bundles.stream().skip(index + 1L)
                .noneMatch(later -> later.workflow().equals(bundles.get(index).workflow()));
    }

    /** Leaves the transaction without a trace; never leaves the store. */
    static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        final transient Rejection why;

        Refused(Rejection why) {
            super(why.toString(), null, false, false);
            this.why = why;
        }
    }
}
