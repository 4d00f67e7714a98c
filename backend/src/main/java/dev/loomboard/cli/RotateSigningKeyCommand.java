package dev.loomboard.cli;

import dev.loomboard.signing.RotateKeyApplication;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** A new key for the signatures of assignments, which the present one announces. */
@Command(
        name = "rotate-signing-key",
        customSynopsis = "rotate-signing-key",
        description = "Replaces the key by which assignments are signed. Agents follow by themselves.")
final class RotateSigningKeyCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    RotateSigningKeyCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return RotateKeyApplication.run(out, err, settings);
    }
}
