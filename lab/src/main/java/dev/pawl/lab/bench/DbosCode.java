package dev.pawl.lab.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import dev.pawl.lab.bench.FlowWorkload.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link DbosFlows} does. */
final class DbosCode implements DbosFlows {

    private static final Duration LONG = Duration.ofDays(1);

    private final DBOS dbos;
    private @Nullable DbosFlows self;

    DbosCode(DBOS dbos) {
        this.dbos = dbos;
    }

    /** The proxy of this object, through which it starts its children. */
    void through(DbosFlows proxy) {
        self = proxy;
    }

    @Override
    @Workflow(name = "inSequence")
    public Answer inSequence(int input, int count) {
        Answer last = FlowWorkload.answer(input, 0);
        for (int i = 1; i <= count; i++) {
            int number = i;
            last = dbos.runStep(() -> FlowWorkload.answer(input, number), "step");
        }
        return last;
    }

    @Override
    @Workflow(name = "parked")
    public Answer parked() {
        return dbos.<Answer>recv(FlowWorkload.SIGNAL, LONG).orElseThrow();
    }

    @Override
    @Workflow(name = "child")
    public Answer child(int input, int number) {
        return dbos.runStep(() -> FlowWorkload.answer(input, number), "step");
    }

    @Override
    @Workflow(name = "sideBySide")
    public Answer sideBySide(int input, int count) {
        DbosFlows children = self;
        if (children == null) {
            throw new IllegalStateException("there is no proxy yet");
        }
        List<WorkflowHandle<Answer, RuntimeException>> handles = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int number = i;
            handles.add(dbos.startWorkflow(() -> children.child(input, number)));
        }
        int sum = 0;
        for (WorkflowHandle<Answer, RuntimeException> handle : handles) {
            sum += handle.getResult().number();
        }
        return FlowWorkload.answer(input, sum);
    }

    @Override
    @Workflow(name = "asleep")
    public Answer asleep(int input) {
        dbos.sleep(LONG);
        return FlowWorkload.answer(input, 1);
    }
}
