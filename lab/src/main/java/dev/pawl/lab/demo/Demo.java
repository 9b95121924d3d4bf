package dev.pawl.lab.demo;

import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.lab.Project;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an order, kills its process in the middle, starts it again, and shows what the digits said in between. */
@Command(name = "demo", mixinStandardHelpOptions = true,
        description = "Runs an order, kills its process in the middle with kill -9, starts it again, and finishes.")
public final class Demo implements Callable<Integer> {

    private static final int CONFLICT = 4;
    private static final String DEADLY = "ship";
    private static final List<String> STEPS = List.of("reserve", "charge", "ship", "thank");

    @Option(names = "--folder", description = "where to keep its file (default: a new one where temporary files go)")
    private @Nullable Path folder;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set before anything is called.
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        long began = System.nanoTime();
        Path place = folder == null ? Files.createTempDirectory("pawl-demo-")
                : Files.createDirectories(folder).toAbsolutePath();
        Path file = place.resolve(Shop.FILE);
        if (Files.exists(file)) {
            spec.commandLine().getErr().println("there is a " + file + " already; name another folder");
            return CONFLICT;
        }
        print("@|bold An order, and a process that dies in the middle of it|@", "",
                "  " + String.join(" -> ", STEPS), "",
                "Each step is written to one SQLite file:", "  " + file, "");
        Remains before = firstLife(place, file);
        if (before == null || !secondLife(place)) {
            return 1;
        }
        Remains after = Remains.of(file);
        after(before, after);
        print("", String.format(Locale.ROOT, "All of it took %.1f s. Look at the file yourself:",
                (System.nanoTime() - began) / 1e9), "", "  " + query(file), "");
        return 0;
    }

    private @Nullable Remains firstLife(Path place, Path file) throws IOException, InterruptedException {
        try (ShopProcess shop = new ShopProcess(place, DEADLY)) {
            print("@|bold First life|@, process " + shop.pid());
            String said;
            do {
                said = shop.next();
                tell(said);
            } while (said != null && !said.equals(Shop.RUNS + DEADLY));
            if (said == null) {
                ended(shop, "the first process ended before it was killed");
                return null;
            }
            shop.kill();
            print("  @|bold,red kill -9 " + shop.pid() + "|@    in the middle of " + DEADLY + ", without warning",
                    "");
        }
        Remains remains = Remains.of(file);
        print("@|bold What it left behind|@: one ledger of 15 digits for each operation");
        print(remains);
        print("", "      2 01 1 000 00000001",
                "      | |  |     +------- how many answers it has",
                "      | |  +------------- 1: it has begun",
                "      | +---------------- how often it was entered",
                "      +------------------ 2: it is final", "",
                "  Each digit was committed in the same transaction as what it stands for.", "");
        return remains;
    }

    private boolean secondLife(Path place) throws IOException, InterruptedException {
        try (ShopProcess shop = new ShopProcess(place, null)) {
            print("@|bold Second life|@, process " + shop.pid(),
                    "  waits until the dead process's lease is over, " + Shop.LEASE.toSeconds() + " s at most");
            for (String said = shop.next(); said != null; said = shop.next()) {
                tell(said);
            }
            if (shop.exitCode() == 0) {
                return true;
            }
            ended(shop, "the second process ended without a result");
            return false;
        }
    }

    private void ended(ShopProcess shop, String how) throws IOException, InterruptedException {
        spec.commandLine().getErr().println(how + ", with exit code " + shop.exitCode() + ":\n" + shop.log());
    }

    private void tell(@Nullable String said) {
        if (said == null) {
            return;
        }
        if (said.startsWith(Shop.RUNS)) {
            print("  " + said.substring(Shop.RUNS.length()) + " runs");
        } else if (said.startsWith(Shop.RESULT)) {
            print("  @|bold,green " + Shop.WORKFLOW + " is complete|@: " + said.substring(Shop.RESULT.length()));
        }
    }

    private void after(Remains before, Remains after) {
        print("", "@|bold What is in the file now|@");
        print(after);
        print("", "@|bold The whole story|@: what stands beside a number was committed as one", Timeline.head());
        Timeline timeline = new Timeline(after.events().getFirst());
        for (Event event : after.events()) {
            timeline.lines(event).forEach(this::print);
            if (event.number() == before.events().getLast().number()) {
                print("                   @|bold,red kill -9|@");
            }
        }
        print("", "  reserve and charge ran once: the second process read their results.",
                "  ship ran twice: a plain step is recorded at its end, so the first run left",
                "  no record. An activity with a key is recorded before, and looked up first.");
    }

    private void print(Remains remains) {
        for (String step : STEPS) {
            ActivityRecord operation = remains.operations().get(step);
            print("  "
                    + (operation == null ? String.format("%-8s  %-15s  no record: the next process runs it", step, "-")
                            : String.format("%-8s  @|%s %s|@  %s", step,
                                    operation.ledger().finalized() ? "green" : "yellow", operation.ledger(),
                                    Remains.inWords(operation.ledger()))));
        }
    }

    static String query(Path file) {
        return "sqlite3 -readonly " + file
                + " \\\n    \"select activity, digits, waker from ledger where workflow_id like 'order%'\"";
    }

    private void print(String... lines) {
        PrintWriter out = spec.commandLine().getOut();
        Ansi ansi = Project.colours() ? Ansi.ON : Ansi.OFF;
        for (String line : lines) {
            out.println(ansi.string(line));
        }
        out.flush();
    }
}
