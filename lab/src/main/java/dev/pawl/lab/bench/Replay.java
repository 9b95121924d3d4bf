package dev.pawl.lab.bench;

import dev.pawl.engine.EngineSettings;
import dev.pawl.engine.store.ShardId;
import dev.pawl.lab.bench.Tape.Batch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Gives a tape to a store that no engine is in front of: the same batches, by as many threads as an engine has lanes, each with the shards
 * of its lane. So fast the engine could be if it cost nothing.
 */
final class Replay {

    private static final int LANES = EngineSettings.DEFAULT.lanes();

    private final List<Batch> batches;
    private final long workflows;
    private final int shards;

    Replay(Tape tape, int shards) {
        this.batches = tape.batches();
        this.workflows = tape.workflows();
        this.shards = shards;
    }

    /** Into a store of this kind, on an empty ground. */
    FlowMeasured into(Ground ground) throws InterruptedException {
        ShardId any = batches.getFirst().shard();
        try (Trial trial = new StoreTrial(ground.open(), any.namespace(), any.group(), shards) {

            @Override
            public long bytesOnDisk() {
                return ground.bytesOnDisk();
            }

            @Override
            public long bytesWritten() {
                return (long) ground.written().bytes();
            }
        }) {
            return into(trial);
        }
    }

    /** Into a file for each shard: as many bytes, appended and synced. */
    FlowMeasured intoFiles(Path folder) throws InterruptedException {
        Recording all = new Recording("tape", batches.stream().flatMap(batch -> batch.bundles().stream()).toList());
        try (Trial trial = new FileSubject(folder).fresh(Collections.nCopies(shards, all))) {
            return into(trial);
        }
    }

    /** The rate is that of the workflows on the tape, the times are those of one commit. */
    private FlowMeasured into(Trial trial) throws InterruptedException {
        List<Long> nanos = new ArrayList<>();
        long began = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(LANES)) {
            List<Future<List<Long>>> lanes = IntStream.range(0, LANES)
                    .mapToObj(lane -> threads.submit(() -> drive(trial, lane))).toList();
            for (Future<List<Long>> lane : lanes) {
                nanos.addAll(lane.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        return FlowMeasured.of(nanos, seconds, 0, Written.NOTHING).withRate(workflows / seconds);
    }

    private List<Long> drive(Trial trial, int lane) {
        List<Long> nanos = new ArrayList<>();
        Map<Integer, Runnable> turn = new LinkedHashMap<>();
        for (Batch batch : batches) {
            int shard = batch.shard().number();
            if (shard % LANES == lane) {
                if (turn.containsKey(shard)) {
                    nanos.addAll(answers(turn));
                }
                turn.put(shard, trial.handIn(shard, batch.bundles()));
            }
        }
        nanos.addAll(answers(turn));
        return nanos;
    }

    /** As the engine does it: all shards of a lane hand in before the first answer is waited for. */
    private static List<Long> answers(Map<Integer, Runnable> turn) {
        long began = System.nanoTime();
        turn.values().forEach(Runnable::run);
        long took = System.nanoTime() - began;
        List<Long> nanos = Collections.nCopies(turn.size(), took);
        turn.clear();
        return nanos;
    }
}
