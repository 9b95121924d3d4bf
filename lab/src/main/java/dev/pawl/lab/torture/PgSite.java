package dev.pawl.lab.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A site whose database is a server of its own. */
record PgSite(Site site, PgServer server) implements AutoCloseable {

    private static final int CALM_MILLIS_MAX = 150_000;
    private static final int UP_MILLIS_MAX = 60_000;

    static PgSite create(Path parent, String kind, long seed) throws IOException {
        Path folder = Site.folder(parent, kind, seed);
        PgServer server = new PgServer(folder.resolve("data"));
        return new PgSite(new Site(folder, Stores.POSTGRES + server.url(), seed), server);
    }

    /** A process at work, on the server itself or by a detour. */
    ChildProcess start(String url, String name, String... more) throws IOException, InterruptedException {
        long before = site.told();
        ChildProcess child = site.start(List.of(), Stores.POSTGRES + url, name, more);
        site.awaitTold(before, child, UP_MILLIS_MAX);
        return child;
    }

    /** Lets the processes finish what was begun, and holds the end against the oracle. */
    List<String> finish(ChildProcess... children) throws InterruptedException {
        List<String> violations = new ArrayList<>();
        for (ChildProcess child : children) {
            child.calm();
        }
        for (ChildProcess child : children) {
            if (!child.ended(CALM_MILLIS_MAX)) {
                violations.add("P8 the process does not end");
                child.kill();
            } else if (child.exitCode() != 0) {
                violations.add("P8 the process ended with " + child.exitCode());
            }
        }
        violations.addAll(site.violations(true));
        return violations;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
