package dev.pawl.lab.bench;

import dev.pawl.lab.bench.Board.Row;
import dev.pawl.lab.bench.Board.Spread;
import dev.pawl.lab.bench.Contender.Engine;
import dev.pawl.lab.bench.Grounds.Kind;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoublePredicate;

/** The board as tables for people. */
final class BoardText {

    private final Board board;
    private final Extent extent;
    private final PrintStream out;

    BoardText(Board board, Extent extent, PrintStream out) {
        this.board = board;
        this.extent = extent;
        this.out = out;
    }

    void print(List<FlowWorkload> workloads) {
        workloads.stream().filter(workload -> !board.rows(workload).isEmpty()).forEach(this::table);
        goals(workloads);
    }

    private void table(FlowWorkload workload) {
        String each = workload == FlowWorkload.W4 ? "fan-outs" : workload == FlowWorkload.W3 ? "signals" : "workflows";
        out.printf(Locale.ROOT, "%n%s: %s. rate = %s/s, median (min to max); of dbos = rate by the best of DBOS%n",
                workload.label(), workload.title(), each);
        out.printf("%-6s %-9s %7s %10s %21s %10s %9s %9s %8s %7s %9s %10s %12s%n", "engine", "store", "clients", "rate",
                "(min to max)", "steps/s", "p50 ms", "p99 ms", "of dbos",
                "cpu us", "rows/step", "bytes/step", "commits/step");
        for (Row row : board.rows(workload)) {
            FlowMeasured median = board.median(row);
            Spread rates = board.rates(row);
            boolean engine = Board.ofEngine(row);
            Optional<Double> dbos = board.best(Engine.DBOS.label(), Board.label(Kind.POSTGRES), workload)
                    .map(best -> board.median(best).rate());
            out.printf(Locale.ROOT, "%-6s %-9s %7d %10s %21s %10s %9.2f %9.2f %8s %7s %9s %10s %12s%n", row.engine(),
                    row.store(), row.clients(), number(median.rate()),
                    "(" + number(rates.min()) + " to " + number(rates.max()) + ")",
                    number(median.rate() * workload.steps(extent.fanOut())), median.p50Millis(), median.p99Millis(),
                    engine ? dbos.map(rate -> number(median.rate() / rate)).orElse("") : "",
                    engine ? number(median.cpuMicros()) : "", engine ? number(median.perStep().rows()) : "",
                    engine ? number(median.perStep().bytes()) : "",
                    engine ? decimals(median.perStep().commits()) : "");
        }
        if (workload == FlowWorkload.W1) {
            out.println(
                    "taped: Pawl while its commits were recorded; bare, file: those given to the store, and as many "
                            + "bytes to a file, without the engine; their p50 and p99 are of one commit");
        }
    }

    private void goals(List<FlowWorkload> workloads) {
        out.printf("%n%-44s %-34s %s%n", "each at its best, median (min to max)", "sqlite", "postgres");
        for (FlowWorkload workload : workloads) {
            switch (workload) {
                case W1 -> {
                    timesDbos("w1: steps, times DBOS; goal 10", workload, 10);
                    goal("w1: of the bare store; goal 0.6", board::shareOfBare, value -> value >= 0.6);
                    goal("w1: step by commit, 1 client; goal <= 1.3", board::stepToCommit, value -> value <= 1.3);
                }
                case W2 -> timesDbos("w2: workflows, times DBOS; goal 8", workload, 8);
                case W3 -> timesDbos("w3: signals, times DBOS; goal 8", workload, 8);
                case W4 -> timesDbos("w4: fan-outs, times DBOS; goal 2", workload, 2);
                case W5 -> {}
            }
        }
        for (Kind store : Kind.values()) {
            alone(Board.label(store));
        }
    }

    private void timesDbos(String name, FlowWorkload workload, double goal) {
        goal(name, store -> board.bestToDbos(Engine.PAWL.label(), store, workload), value -> value >= goal);
    }

    private interface PerStore {

        Optional<Spread> of(String store);
    }

    private void goal(String name, PerStore values, DoublePredicate reached) {
        out.printf("%-44s %-34s %s%n", name, judged(values.of(Board.label(Kind.SQLITE)), reached),
                judged(values.of(Board.label(Kind.POSTGRES)), reached));
    }

    private static String judged(Optional<Spread> spread, DoublePredicate reached) {
        return spread.map(value -> decimals(value.median()) + " (" + decimals(value.min()) + " to "
                + decimals(value.max()) + ") " + (reached.test(value.median()) ? "reached" : "missed"))
                .orElse("not measured");
    }

    /** What a step takes when nothing else is under way, and what of that is the store's. */
    private void alone(String store) {
        List<Row> rows = board.rows(FlowWorkload.W1);
        Row pawl = new Row(Engine.PAWL.label(), store, FlowWorkload.W1, 1);
        Row bare = new Row(Board.BARE, store, FlowWorkload.W1, 1);
        if (rows.contains(pawl) && rows.contains(bare)) {
            FlowMeasured flow = board.median(pawl);
            out.printf(Locale.ROOT,
                    "%s, one workflow at a time: %.2f ms p50, so %.3f ms for a step; a commit of the bare store %.3f ms%n",
                    store, flow.p50Millis(), flow.p50Millis() / FlowWorkload.STEPS, board.median(bare).p50Millis());
        }
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Three digits or more. */
    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }
}
