package dev.pawl.store.postgres;

import dev.pawl.store.sql.Database.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Commits what several shards have handed in as one statement: most of what a small statement costs is what every statement costs.
 * Whoever first wants an answer commits for all that wait. If something of it is refused, each is committed alone, so that it comes
 * to what it would have come to.
 */
final class PgGroup {

    /** A statement of any size is one answer that somebody waits for. */
    private static final int PIECES_MAX = 256;

    private final Function<List<PgBatch.Piece>, Verdict> commit;
    private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();

    private record Request(PgBatch.Piece piece, CompletableFuture<Verdict> answer) {

        boolean joins(Request other) {
            return piece.shard().namespace().equals(other.piece.shard().namespace())
                    && !piece.shard().equals(other.piece.shard());
        }
    }

    PgGroup(Function<List<PgBatch.Piece>, Verdict> commit) {
        this.commit = commit;
    }

    Supplier<Verdict> handIn(PgBatch.Piece piece) {
        Request request = new Request(piece, new CompletableFuture<>());
        queue.add(request);
        return () -> answer(request);
    }

    private Verdict answer(Request request) {
        while (!request.answer().isDone() && queue.contains(request)) {
            lead();
        }
        try {
            return request.answer().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void lead() {
        List<Request> waiting = new ArrayList<>();
        queue.drainTo(waiting, PIECES_MAX);
        List<Request> together = new ArrayList<>();
        List<Request> apart = new ArrayList<>();
        for (Request each : waiting) {
            // A shard that has handed in twice, or one of another namespace, has a statement of its own.
            (together.stream().allMatch(each::joins) ? together : apart).add(each);
        }
        commit(together);
        apart.forEach(each -> commit(List.of(each)));
    }

    private void commit(List<Request> requests) {
        if (requests.isEmpty()) {
            return;
        }
        try {
            Verdict verdict = commit.apply(requests.stream().map(Request::piece).toList());
            if (verdict == Verdict.WRITTEN || requests.size() == 1) {
                requests.forEach(request -> request.answer().complete(verdict));
            } else {
                requests.forEach(request -> commit(List.of(request)));
            }
        } catch (IllegalArgumentException e) {
            if (requests.size() == 1) {
                requests.getFirst().answer().completeExceptionally(e);
            } else {
                requests.forEach(request -> commit(List.of(request)));
            }
        } catch (RuntimeException | Error e) {
            requests.forEach(request -> request.answer().completeExceptionally(e));
        }
    }
}
