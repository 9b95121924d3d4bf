package dev.pawl.lab.torture.effect;

import dev.pawl.engine.flow.Activity;
import dev.pawl.engine.flow.Branch;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.flow.FlowContext;
import dev.pawl.engine.flow.Guarantee;
import dev.pawl.engine.flow.OperationFailed;
import dev.pawl.engine.flow.Verified;
import dev.pawl.lab.torture.effect.FlowPlan.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/**
 * The flow that is tortured: does what its {@link FlowPlan} says, tells the {@link EffectServer} of every attempt, and returns what each
 * operation has come to, as {@code name=value} with blanks between them.
 */
public final class EffectFlow {

    /** The signal that every workflow waits for. */
    public static final String SIGNAL = "go";

    /** What an operation comes to whose outcome no one knows. */
    static final String UNKNOWN = "unknown";

    /** Where transactional effects go, in both databases. Without a key: a second row must be possible to be seen. */
    public static final String TABLE =
            "create table if not exists torture_effect (workflow varchar(100), operation varchar(100), value varchar(100))";

    private static final String INSERT = "insert into torture_effect (workflow, operation, value) values (?, ?, ?)";

    private final EffectClient world;
    private final DataSource own;
    private final IntFunction<FlowPlan> plans;

    public EffectFlow(EffectClient world, DataSource own, IntFunction<FlowPlan> plans) {
        this.world = world;
        this.own = own;
        this.plans = plans;
    }

    public static String workflow(int number) {
        return "f" + number;
    }

    static int number(String workflow) {
        return Integer.parseInt(workflow.substring(1));
    }

    public Flow<Integer, String> flow() {
        return Flow.named("effects", Integer.class, String.class, this::run);
    }

    private String run(FlowContext context, int number) throws Exception {
        FlowPlan plan = plans.apply(number);
        List<String> values = new ArrayList<>();
        for (int stage = 0; stage < plan.stages().size(); stage++) {
            if (stage == 1) {
                context.signal(SIGNAL, String.class);
                context.sleep(Duration.ofMillis(plan.sleepMillis()));
            }
            List<Operation> operations = plan.stages().get(stage);
            if (operations.size() == 1) {
                values.add(perform(context, operations.getFirst()));
            } else {
                values.addAll(context.parallel(operations.stream()
                        .map(each -> (Branch<String>) branch -> perform(branch, each)).toList()));
            }
        }
        world.finished(number);
        return String.join(" ", values);
    }

    private String perform(FlowContext context, Operation operation) {
        String workflow = context.workflowId();
        String key = workflow + "/" + operation.name();
        try {
            return operation.name() + "=" + switch (operation.level()) {
                case STEP -> context.step(operation.name(), String.class, () -> call(workflow, operation, 0, key));
                case AT_LEAST_ONCE, IDEMPOTENT, AT_MOST_ONCE -> context.run(activity(operation), workflow);
                case RECONCILED -> context.run(activity(operation).verify((asked, input) -> verify(asked)), workflow);
                case ENGINE_TRANSACTION -> context.transaction(operation.name(), String.class,
                        connection -> insert(connection, workflow, operation, key));
                case OWN_TRANSACTION -> context.transaction(operation.name(), own, String.class,
                        connection -> insert(connection, workflow, operation, key));
            };
        } catch (OperationFailed e) {
            return operation.name() + "=" + UNKNOWN + ":" + e.errorType();
        }
    }

    private Activity<String, String> activity(Operation operation) {
        return Activity.named(operation.name(), String.class, String.class,
                (attempt, workflow) -> call(workflow, operation, attempt.attempt(), attempt.idempotencyKey()))
                .guarantee(Guarantee.valueOf(operation.level().name()));
    }

    private Verified<String> verify(String key) {
        String value = world.look(key);
        return value.isEmpty() ? new Verified.NotCompleted<>() : new Verified.Completed<>(value);
    }

    /** What happens in the middle of an attempt. */
    private interface Deed {

        String act(int run) throws SQLException;
    }

    private String call(String workflow, Operation operation, int attempt, String key) throws Exception {
        return attempt(workflow, operation, attempt, key, world::happened);
    }

    private String insert(Connection connection, String workflow, Operation operation, String key) throws Exception {
        return attempt(workflow, operation, 0, key, run -> {
            String value = "run" + run;
            try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
                statement.setString(1, workflow);
                statement.setString(2, operation.name());
                statement.setString(3, value);
                statement.executeUpdate();
            }
            return value;
        });
    }

    private String attempt(String workflow, Operation operation, int attempt, String key, Deed deed) throws Exception {
        // Before anything else: this is when the function has begun, whenever the server hears of it.
        long begun = System.nanoTime();
        int run = world.begun(workflow, operation, attempt, key, begun);
        boolean returned = false;
        try {
            Thread.sleep(operation.beforeMillis());
            String value = deed.act(run);
            Thread.sleep(operation.afterMillis());
            returned = true;
            return value;
        } finally {
            world.ended(run, returned);
        }
    }
}
