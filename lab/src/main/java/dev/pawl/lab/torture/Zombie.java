package dev.pawl.lab.torture;

import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** An engine that stands still in the middle of its work, and wakes up when another one has, or wants, its place. */
@Command(name = "zombie", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Stops an engine until another one has taken over (PostgreSQL) or was refused (SQLite), and lets it"
                + " go on.")
final class Zombie extends Kind {

    @Option(names = "--store", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private StoreKind on = StoreKind.POSTGRES;

    Zombie() {
        super("zombie");
    }

    @Override
    String store() {
        return on.text();
    }

    @Override
    String replay() {
        return " --store " + on;
    }

    @Override
    Round round(long seed, int cycles, ProgressBar bar) throws Exception {
        return switch (on) {
            case SQLITE -> Rival.round(options.folder, seed, cycles, bar::step);
            case POSTGRES -> Takeover.round(options.folder, seed, cycles, bar::step);
        };
    }
}
