package dev.pawl.lab.bench;

import dev.pawl.lab.Project;
import dev.pawl.lab.Results;
import dev.pawl.lab.bench.Board.Row;
import dev.pawl.lab.bench.Contender.Engine;
import dev.pawl.lab.bench.FlowCell.Loop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rounds in which every contender has its turn at every cell, one right after the other: what else the machine does in that minute
 * befalls all of them. Who is first in a cell changes from round to round.
 */
final class SideBySide {

    static final String COLUMNS = "engine,store,workload,clients,rate,p50ms,p99ms,ratioToDbos";

    private static final int TAPE_BUNDLES_MAX = 150_000;
    private static final Duration TAPE_TIME_MAX = Duration.ofSeconds(2);
    /** Two cores compile an engine for half a minute and more while it runs. */
    private static final int WARM_UPS = 5;

    private final Grounds grounds;
    private final List<Contender> contenders;
    private final List<FlowWorkload> workloads;
    private final List<Integer> clients;
    private final Extent extent;
    private final Runnable progress;
    private final Board board = new Board();

    SideBySide(Grounds grounds, List<Contender> contenders, List<FlowWorkload> workloads, List<Integer> clients,
            Extent extent, Runnable progress) {
        this.grounds = grounds;
        this.contenders = contenders;
        this.workloads = workloads;
        this.clients = clients;
        this.extent = extent;
        this.progress = progress;
    }

    /** How often the progress is reported while warming up. */
    static int warmUps(List<Contender> contenders, List<FlowWorkload> workloads, Extent extent) {
        return extent.warmUp().isZero() ? 0 : contenders.size() * workloads.size();
    }

    /** How often the progress is reported in one round. */
    static int cells(List<Contender> contenders, List<FlowWorkload> workloads, List<Integer> clients) {
        int cells = 0;
        for (FlowWorkload workload : workloads) {
            cells += contenders.size() * sweep(workload, clients).size();
        }
        long tapes = contenders.stream().filter(each -> each.engine() == Engine.PAWL).count();
        return cells + (workloads.contains(FlowWorkload.W1) ? (int) tapes : 0);
    }

    /** A fan-out has enough to do with one. */
    private static List<Integer> sweep(FlowWorkload workload, List<Integer> clients) {
        return switch (workload) {
            case W1, W2, W3 -> clients;
            case W4 -> List.of(1);
            case W5 -> List.of();
        };
    }

    Board board() {
        return board;
    }

    /** Lets everybody run everything once: whoever came first in a new process would wait for its compiler. */
    void warmUp() throws InterruptedException {
        if (extent.warmUp().isZero()) {
            return;
        }
        Extent brief = extent.lasting(Duration.ZERO, extent.warmUp().multipliedBy(WARM_UPS));
        for (FlowWorkload workload : workloads) {
            int most = Collections.max(sweep(workload, clients));
            for (Contender contender : contenders) {
                try (Ground ground = grounds.fresh(contender.store())) {
                    FlowCell.measure(contender, ground, workload, most, brief);
                }
                progress.run();
            }
        }
    }

    /** The lines about a round are written when it is over. */
    void round(int round, Path results) throws InterruptedException {
        List<Contender> order = new ArrayList<>(contenders);
        Collections.rotate(order, -round);
        for (FlowWorkload workload : workloads) {
            for (int count : sweep(workload, clients)) {
                for (Contender contender : order) {
                    try (Ground ground = grounds.fresh(contender.store())) {
                        board.add(round, Row.of(contender, workload, count),
                                FlowCell.measure(contender, ground, workload, count, extent));
                    }
                    progress.run();
                }
            }
            if (workload == FlowWorkload.W1) {
                for (Contender contender : order) {
                    if (contender.engine() == Engine.PAWL) {
                        replay(round, contender);
                        progress.run();
                    }
                }
            }
        }
        write(round, results);
    }

    /** What the store can do by itself, with as many clients as suited the engine best, and with one. */
    private void replay(int round, Contender contender) throws InterruptedException {
        String store = Board.label(contender.store());
        TreeSet<Integer> counts = new TreeSet<>();
        board.best(round, contender.engine().label(), store, FlowWorkload.W1)
                .ifPresent(best -> counts.add(best.getKey().clients()));
        if (clients.contains(1)) {
            counts.add(1);
        }
        for (int count : counts) {
            int shards;
            Tape tape = new Tape(TAPE_BUNDLES_MAX);
            FlowMeasured taped;
            try (Ground ground = grounds.fresh(contender.store())) {
                shards = extent.shards(ground);
                taped = record(tape, ground, count);
            }
            board.add(round, new Row(Board.TAPED, store, FlowWorkload.W1, count), taped);
            Replay replay = new Replay(tape, shards);
            try (Ground ground = grounds.fresh(contender.store())) {
                board.add(round, new Row(Board.BARE, store, FlowWorkload.W1, count), replay.into(ground));
            }
            board.add(round, new Row(Board.FILE, store, FlowWorkload.W1, count), replay.intoFiles(grounds.folder()));
        }
    }

    private FlowMeasured record(Tape tape, Ground ground, int count) throws InterruptedException {
        Duration time = extent.time().compareTo(TAPE_TIME_MAX) < 0 ? extent.time() : TAPE_TIME_MAX;
        AtomicInteger numbers = new AtomicInteger();
        try (OpenEngine engine = new PawlEngine(tape.around(ground.open()), extent.shards(ground), extent.fanOut())) {
            Extent before = extent.lasting(Duration.ZERO, extent.warmUp());
            new FlowCell(engine, FlowWorkload.W1, count, before, numbers).run();
            tape.start();
            Extent shorter = extent.lasting(Duration.ZERO, time);
            Loop loop = new FlowCell(engine, FlowWorkload.W1, count, shorter, numbers).run();
            return FlowMeasured.of(loop.nanos(), loop.seconds(), 0, Written.NOTHING)
                    .withRate(tape.workflows() / tape.seconds());
        }
    }

    private void write(int round, Path results) {
        Results ledger = new Results(results, COLUMNS);
        for (Map.Entry<Row, FlowMeasured> each : board.round(round).entrySet()) {
            Row row = each.getKey();
            FlowMeasured measured = each.getValue();
            ledger.append(Project.revision(), row.engine(), row.store(), row.workload().label(), row.clients(),
                    decimals(measured.rate()), decimals(measured.p50Millis()), decimals(measured.p99Millis()),
                    board.ratioToDbos(round, row).map(SideBySide::decimals).orElse(""));
        }
    }

    static String decimals(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
