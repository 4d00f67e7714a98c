package dev.loomboard.cli;

import dev.loomboard.recompute.RollupCheckApplication;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** All numbers of all runs made again and compared, on the database that the service would use. */
@Command(
        name = "verify-rollups",
        customSynopsis = "verify-rollups",
        description =
                "Recomputes all stored numbers and compares them to the last bit. Exit code 1: something differs.")
final class VerifyRollupsCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    VerifyRollupsCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return RollupCheckApplication.run(out, err, settings);
    }
}
