package dev.pawl.lab.torture;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Pawl;
import dev.pawl.engine.PawlException;
import dev.pawl.engine.flow.Flow;
import dev.pawl.engine.store.Store;
import dev.pawl.lab.torture.effect.EffectClient;
import dev.pawl.lab.torture.effect.EffectFlow;
import dev.pawl.lab.torture.effect.SteadyFlow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A process that runs flows as an application does: it opens Pawl, starts workflows, and goes on until it is killed, is sent SIGTERM, or
 * gets an order on its standard input. "leave" closes Pawl at once; "calm" does so when no workflow is open any more. If the
 * process that started it is gone, it ends at once.
 */
@Command(name = "flow-child")
final class FlowChild implements Callable<Integer> {

    static final int NOT_FINISHED = 4;
    static final String LEAVE = "leave";
    static final String CALM = "calm";

    private static final int ORPHANED = 7;
    private static final int PAUSE_MILLIS = 50;
    private static final int CALM_MILLIS_MAX = 90_000;
    private static final int OWN_CONNECTIONS = 6;

    @Option(names = "--store", required = true)
    private String address = "";

    @Option(names = "--own", required = true)
    private String own = "";

    @Option(names = "--folder", required = true)
    private Path folder = Path.of("");

    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--world", required = true)
    private int world;

    @Mixin
    private FlowSettings settings = new FlowSettings();

    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

    public static void main(String[] args) {
        System.exit(new CommandLine(new FlowChild()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Thread.ofPlatform().name("orders").daemon().start(this::takeOrders);
        EffectClient client = new EffectClient(world, name);
        OutsideLog log = new OutsideLog(OutsideWorld.file(folder, name));
        HikariDataSource source = source();
        Flow<Integer, String> flow = settings.steady ? new SteadyFlow(client).flow()
                : new EffectFlow(client, source, settings::plan).flow();
        Store watched = WatchedStore.of(Stores.open(address), name, log, null);
        Store store = settings.flaw.front(LeaseReport.of(watched, client, settings.renewalDelayMillis));
        Pawl pawl = Pawl.builder().store(store).namespace(FlowSettings.NAMESPACE).group(FlowSettings.GROUP)
                .shards(settings.shards).lease(settings.flaw.lease(settings.lease()), settings.renewal())
                .drainTimeout(Duration.ofMillis(settings.drainMillis)).definitions(flow).open();
        Thread.ofPlatform().name("starter").daemon().start(() -> startWorkflows(pawl, flow, client));
        String order = orders.take();
        boolean finished = !order.equals(CALM) || awaitEnd(store);
        pawl.close();
        source.close();
        log.close();
        return finished ? 0 : NOT_FINISHED;
    }

    private HikariDataSource source() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(own);
        // Whoever waits for SQLite's lock waits in native code; so they wait for the one connection instead.
        config.setMaximumPoolSize(own.startsWith("jdbc:sqlite:") ? 1 : OWN_CONNECTIONS);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private void startWorkflows(Pawl pawl, Flow<Integer, String> flow, EffectClient client) {
        while (orders.isEmpty()) {
            int number = client.next();
            try {
                if (number < 0) {
                    Thread.sleep(PAUSE_MILLIS);
                    continue;
                }
                pawl.start(flow, EffectFlow.workflow(number), number).signal(EffectFlow.SIGNAL, "now",
                        "signal-" + number);
                client.confirmed(number);
            } catch (PawlException e) {
                client.note("could not start " + number + ": " + e.code() + " " + e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static boolean awaitEnd(Store store) throws InterruptedException {
        for (int waited = 0; waited < CALM_MILLIS_MAX; waited += PAUSE_MILLIS) {
            if (FlowInspector.finished(store)) {
                return true;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return false;
    }

    /** Never waits in a read: a JVM that ends waits a third of a second for threads in native code, and that is not what is measured. */
    private void takeOrders() {
        ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
        BufferedReader from = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            while (parent.isAlive()) {
                if (from.ready()) {
                    orders.add(from.readLine());
                } else {
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (IOException e) {
            System.err.println("no orders any more: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
