package dev.loomboard.cli;

import dev.loomboard.recovery.AccountRecoveryApplication;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** For a person who is locked out, on the database that the service uses. */
@Command(
        name = "reset-password",
        customSynopsis = "reset-password --email=name@example.org [--by-mail]",
        description = "Prints a one-time link by which a person chooses a new password. The service may be running.")
final class ResetPasswordCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    @Option(names = "--email", required = true, description = "The address that the account signs in with.")
    private String email = "";

    @Option(
            names = "--by-mail",
            description =
                    "You send the link to that address yourself, and nowhere else: who uses it has proven the address.")
    private boolean byMail;

    ResetPasswordCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return AccountRecoveryApplication.resetPassword(email, byMail, out, err, settings);
    }
}
