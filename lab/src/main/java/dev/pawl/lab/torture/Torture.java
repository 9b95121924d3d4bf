package dev.pawl.lab.torture;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Real engines on real stores, and what can happen to them. */
@Command(name = "torture", mixinStandardHelpOptions = true, sortOptions = false,
        subcommands = {Kill.class, Disk.class, Restart.class, Zombie.class, Proxied.class, Scale.class,
            Freeze.class, Deploy.class},
        description = "Kills, stops and cuts off real engines under load, and checks what they leave behind.")
public final class Torture implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Without ending the process. */
    static int run(String... args) {
        return new CommandLine(new Torture()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which kind of torture");
    }
}
