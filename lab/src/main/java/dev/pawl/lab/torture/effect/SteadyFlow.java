package dev.pawl.lab.torture.effect;

import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.lab.torture.effect.FlowPlan.Operation;

/** A flow that does nothing but one short step after the other, each of which is seen outside: where it stops, and where it goes on. */
public final class SteadyFlow {

    private static final int STEPS = 400;
    private static final int STEP_MILLIS = 50;
    private static final int STEPS_NEAR_END = 20;

    private final EffectClient world;

    public SteadyFlow(EffectClient world) {
        this.world = world;
    }

    public Flow<Integer, String> flow() {
        return Flow.named("steady", Integer.class, String.class, this::run);
    }

    /** Whether so few steps come after this one that the flow may end before its process does. */
    public static boolean nearEnd(String step) {
        return Integer.parseInt(step.substring(1)) >= STEPS - STEPS_NEAR_END;
    }

    private String run(FlowContext context, int number) throws Exception {
        for (int i = 0; i < STEPS; i++) {
            Operation operation = new Operation("s" + i, Level.STEP, STEP_MILLIS, 0);
            context.step(operation.name(), String.class, () -> {
                long begun = System.nanoTime();
                int run = world.begun(context.workflowId(), operation, 0, context.workflowId() + "/" + operation.name(),
                        begun);
                Thread.sleep(STEP_MILLIS);
                world.ended(run, true);
                return "";
            });
        }
        world.finished(number);
        return "";
    }
}
