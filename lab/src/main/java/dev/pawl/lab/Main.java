package dev.pawl.lab;

import dev.pawl.lab.bench.Bench;
import dev.pawl.lab.demo.Demo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** What the script {@code pawl} runs. Exit codes: 0 all went well, 1 something failed, 2 it was called wrongly. */
@Command(name = "pawl", subcommands = {Demo.class, Bench.class}, synopsisSubcommandLabel = "COMMAND",
        description = "Durable workflows that only move forward.")
public final class Main {

    private Main() {
    }

    public static void main(String[] args) {
        System.exit(command().execute(args));
    }

    /** All commands, with output and errors for the caller to redirect. */
    public static CommandLine command() {
        return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(Help.defaultColorScheme(Project.colours() ? Ansi.ON : Ansi.OFF));
    }
}
