package dev.pawl.store.sql;

import dev.pawl.engine.store.Commit;
import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Guid;
import java.util.ArrayList;
import java.util.List;

/** What each bundle of a written batch came to: what was predicted, because the database has refused every other outcome. */
final class Outcomes {

    private Outcomes() {
    }

    static List<Commit.Applied> of(List<Bundle> bundles) {
        return bundles.stream().map(Outcomes::of).toList();
    }

    private static Commit.Applied of(Bundle bundle) {
        Guid closedBy = null;
        List<ActivityKey> joinsOpened = new ArrayList<>();
        for (Write write : bundle.writes()) {
            if (write instanceof Write.MoveSemaphore move && move.predictedHit()) {
                closedBy = move.by();
            } else if (write instanceof Write.MoveJoin move && move.predictedHit()) {
                joinsOpened.add(move.join());
            }
        }
        long version = bundle.seal() == null ? 0 : bundle.seal().event().number();
        return new Commit.Applied(bundle.workflow(), version, closedBy, joinsOpened);
    }
}
