package dev.pawl.lab.bench;

import dev.pawl.lab.bench.Contender.Engine;
import dev.pawl.lab.bench.Grounds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What all rounds came to. Ratios are taken within a round, where both sides had the same machine and the same minute, and each engine
 * counts with the number of clients that suits it best.
 */
final class Board {

    /** Pawl while its commits were recorded. */
    static final String TAPED = "taped";
    /** A store that was given the bundles of an engine without it. */
    static final String BARE = "bare";
    /** A file that was given as many bytes. */
    static final String FILE = "file";

    private final NavigableMap<Integer, Map<Row, FlowMeasured>> rounds = new TreeMap<>();

    /** What was measured. */
    record Row(String engine, String store, FlowWorkload workload, int clients) {

        static Row of(Contender contender, FlowWorkload workload, int clients) {
            return new Row(contender.engine().label(), label(contender.store()), workload, clients);
        }

        boolean isOf(String someEngine, String someStore, FlowWorkload someWorkload) {
            return engine.equals(someEngine) && store.equals(someStore) && workload == someWorkload;
        }
    }

    /** The middle of several rounds, and how far they are apart. */
    record Spread(double median, double min, double max) {

        static Optional<Spread> of(Stream<Double> values) {
            List<Double> sorted = values.sorted().toList();
            return sorted.isEmpty() ? Optional.empty()
                    : Optional.of(new Spread(sorted.get((sorted.size() - 1) / 2), sorted.getFirst(), sorted.getLast()));
        }
    }

    /** Whether a row is about an engine, and not about what it is measured by. */
    static boolean ofEngine(Row row) {
        return !List.of(TAPED, BARE, FILE).contains(row.engine());
    }

    static String label(Kind store) {
        return store.name().toLowerCase(Locale.ROOT);
    }

    void add(int round, Row row, FlowMeasured measured) {
        rounds.computeIfAbsent(round, first -> new LinkedHashMap<>()).put(row, measured);
    }

    Map<Row, FlowMeasured> round(int round) {
        return rounds.getOrDefault(round, Map.of());
    }

    /** Every row once, by engine, store and clients. */
    List<Row> rows(FlowWorkload workload) {
        return rounds.values().stream().flatMap(round -> round.keySet().stream()).distinct()
                .filter(row -> row.workload() == workload)
                .sorted(Comparator.comparing((Row row) -> !ofEngine(row))
                        .thenComparing(Row::engine, Comparator.reverseOrder())
                        .thenComparing(Row::store, Comparator.reverseOrder()).thenComparingInt(Row::clients))
                .toList();
    }

    FlowMeasured median(Row row) {
        return FlowMeasured.median(measured(row));
    }

    Spread rates(Row row) {
        return Spread.of(measured(row).stream().map(FlowMeasured::rate)).orElseThrow();
    }

    private List<FlowMeasured> measured(Row row) {
        List<FlowMeasured> all = new ArrayList<>();
        rounds.values().forEach(round -> {
            FlowMeasured measured = round.get(row);
            if (measured != null) {
                all.add(measured);
            }
        });
        return all;
    }

    /** The row with the highest median. */
    Optional<Row> best(String engine, String store, FlowWorkload workload) {
        return rows(workload).stream().filter(row -> row.isOf(engine, store, workload))
                .max(Comparator.comparingDouble(row -> median(row).rate()));
    }

    /** The row with the highest rate of one round. */
    Optional<Map.Entry<Row, FlowMeasured>> best(int round, String engine, String store, FlowWorkload workload) {
        return round(round).entrySet().stream().filter(entry -> entry.getKey().isOf(engine, store, workload))
                .max(Comparator.comparingDouble(entry -> entry.getValue().rate()));
    }

    /** How many times the best of DBOS in the same round a row has reached. */
    Optional<Double> ratioToDbos(int round, Row row) {
        FlowMeasured measured = round(round).get(row);
        return measured == null ? Optional.empty() : dbos(round, row.workload()).map(best -> measured.rate() / best);
    }

    private Optional<Double> dbos(int round, FlowWorkload workload) {
        return best(round, Engine.DBOS.label(), label(Kind.POSTGRES), workload).map(best -> best.getValue().rate())
                .filter(rate -> rate > 0);
    }

    /** How many times the best of DBOS the best of an engine was. */
    Optional<Spread> bestToDbos(String engine, String store, FlowWorkload workload) {
        return Spread.of(rounds.keySet().stream().flatMap(round -> best(round, engine, store, workload)
                .flatMap(best -> ratioToDbos(round, best.getKey())).stream()));
    }

    /** Which part of the rate of the bare store the engine had with the same bundles, with as many clients as suit it best. */
    Optional<Spread> shareOfBare(String store) {
        return Spread.of(rounds.keySet().stream().flatMap(round -> best(round, TAPED, store, FlowWorkload.W1)
                .flatMap(taped -> bare(round, store, taped.getKey().clients())
                        .map(bare -> taped.getValue().rate() / bare.rate()))
                .stream()));
    }

    /** How many times the store's own commit a step took, one workflow at a time. */
    Optional<Spread> stepToCommit(String store) {
        return Spread.of(rounds.values().stream().flatMap(round -> {
            FlowMeasured alone = round.get(new Row("pawl", store, FlowWorkload.W1, 1));
            FlowMeasured bare = round.get(new Row(BARE, store, FlowWorkload.W1, 1));
            return alone == null || bare == null ? Stream.empty()
                    : Stream.of(alone.p50Millis() / FlowWorkload.STEPS / bare.p50Millis());
        }));
    }

    private Optional<FlowMeasured> bare(int round, String store, int clients) {
        return Optional.ofNullable(round(round).get(new Row(BARE, store, FlowWorkload.W1, clients)));
    }
}
