package dev.loomboard.cli;

import dev.loomboard.recovery.AccountRecoveryApplication;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** For a person who is locked out, on the database that the service uses. */
@Command(
        name = "disable-two-step",
        customSynopsis = "disable-two-step --email=name@example.org",
        description = "Lets a person who lost the authenticator and the recovery codes sign in by the password alone.")
final class DisableTwoStepCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    @Option(names = "--email", required = true, description = "The address that the account signs in with.")
    private String email = "";

    DisableTwoStepCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return AccountRecoveryApplication.disableTwoStep(email, out, err, settings);
    }
}
